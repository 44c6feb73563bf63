import {
  appendLeaf,
  emptyFrontier,
  type Frontier,
  frontierRoot,
  hashBytes,
  sameHash,
  type Tile,
  tileInTree,
  tileWidth,
} from '@agent-trust/transparency-log';
import type { TileStore } from './tile-store.ts';

/** A tree by its blocks of 256 leaves: the root of each, and the leaves of the last that is not full. */
export type TreeBlocks = { size: number; blocks: Uint8Array[]; tail: Uint8Array[] };

/**
 * The blocks of the tree with this size and root, out of tiles; null when the tiles make another root: then they say nothing of that tree.
 *
 * @throws UnreachableError
 */
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
