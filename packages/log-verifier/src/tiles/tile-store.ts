import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  appendLeaf,
  emptyFrontier,
  type Frontier,
  frontierRoot,
  hashBytes,
  sameHash,
  type Tile,
  tileInTree,
  tilePath,
  tileWidth,
} from '@agent-trust/transparency-log';
import { fetchBytes, UnreachableError } from '../fetch-bytes.ts';

/** Where tiles are (C2SP tlog-tiles): a log's prefix, as a URL or a folder. */
export type TileStore = { description: string; read: (tile: Tile) => Promise<Uint8Array> };

const tileBytesMax = tileWidth * hashBytes;

/** @param prefix `https://…/log`, or a folder that holds `tile/…`. */
export function tileStore(prefix: string): TileStore {
  const base = prefix.replace(/\/+$/u, '');
  const readPath = /^https?:\/\//u.test(base)
    ? (path: string) => fetchBytes(`${base}/${path}`, tileBytesMax)
    : (path: string) => readTileFile(join(base, path));
  return {
    description: base,
    read: async (tile) => {
      try {
        return await readPath(tilePath(tile));
      } catch (error) {
        // A log may take a partial tile away once the full one is there.
        if (tile.width === tileWidth || !(error instanceof UnreachableError) || error.status !== 404) throw error;
        return await readPath(tilePath({ ...tile, width: tileWidth }));
      }
    },
  };
}

const readTileFile = async (path: string): Promise<Uint8Array> => {
  try {
    return new Uint8Array(await readFile(path));
  } catch (cause) {
    throw new UnreachableError(`${path} cannot be read`, 404, { cause });
  }
};

/** A tree by its blocks of 256 leaves: the root of each, and the leaves of the last that is not full. */
export type TreeBlocks = { size: number; blocks: Uint8Array[]; tail: Uint8Array[] };

/** The blocks of the tree with this size and root; null if the tiles make another root. @throws UnreachableError */
export async function blocksOfTiles(size: number, root: Uint8Array, tiles: TileStore): Promise<TreeBlocks | null> {
  const blocks: Uint8Array[] = [];
  for (let index = 0; ; index += 1) {
    const tile = tileInTree(1, index, size);
    if (tile === null) break;
    blocks.push(...(await hashesOf(tile, tiles)));
  }
  const last = tileInTree(0, Math.floor(size / tileWidth), size);
  const tail = last === null ? [] : await hashesOf(last, tiles);
  return sameHash(rootOfBlocks(blocks, tail), root) ? { size, blocks, tail } : null;
}

/** The leaves of one block, verified against its root in `tree`; null when the tile is another's. */
export async function leavesOfBlock(tree: TreeBlocks, index: number, tiles: TileStore): Promise<Uint8Array[] | null> {
  const root = tree.blocks[index];
  if (root === undefined) return tree.tail;
  const leaves = await hashesOf({ level: 0, index, width: tileWidth }, tiles);
  return sameHash(rootOfBlocks([], leaves), root) ? leaves : null;
}

const hashesOf = async (tile: Tile, tiles: TileStore): Promise<Uint8Array[]> => {
  const bytes = await tiles.read(tile);
  return Array.from({ length: Math.min(tile.width, Math.floor(bytes.length / hashBytes)) }, (_, at) =>
    bytes.slice(at * hashBytes, (at + 1) * hashBytes),
  );
};

/** Full blocks stand above the leaves of the tail, so the two frontiers, one after the other, are the tree's. */
const rootOfBlocks = (blocks: readonly Uint8Array[], tail: readonly Uint8Array[]): Uint8Array => {
  const grow = (hashes: readonly Uint8Array[]): Frontier =>
    hashes.reduce((frontier, hash) => appendLeaf(frontier, hash), emptyFrontier);
  return frontierRoot({ size: 0, hashes: [...grow(blocks).hashes, ...grow(tail).hashes] });
};
