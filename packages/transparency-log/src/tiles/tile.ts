import { hashBytes, nodeHash } from '../hash/tree-hash.ts';
import type { ReadHashes, TreeNode } from '../tree/prove.ts';

/** Hashes in a full tile (C2SP tlog-tiles). */
export const tileWidth = 256;
/** Levels of the tree that one tile spans. */
export const tileHeight = 8;
const levelMax = 63;

/** A tile: hashes `index` · 256 and on of the tree's level 8 · `level`; `width` is 256 for a full one, 1 to 255 for a partial one. */
export type Tile = { level: number; index: number; width: number };

/** The path of a tile behind a log's prefix, `tile/<L>/<N>[.p/<W>]` (C2SP tlog-tiles): tile 1234067 of level 0 is `tile/0/x001/x234/067`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = index.toString();
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/gu) ?? [];
  const last = groups.length - 1;
  const number = groups.map((group, at) => (at < last ? `x${group}` : group)).join('/');
  return `tile/${level}/${number}${width < tileWidth ? `.p/${width}` : ''}`;
}

/** The tile that a path names, in its one spelling; null when it names none. `tile/` may stand before it or not. */
export function parseTilePath(path: string): Tile | null {
  const match = /^(?:tile\/)?(0|[1-9]\d?)\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/u.exec(path);
  if (match === null) return null;
  const [, levelText = '', numberText = '', widthText] = match;
  const tile = {
    level: Number(levelText),
    index: Number(numberText.replaceAll(/[x/]/gu, '')),
    width: widthText === undefined ? tileWidth : Number(widthText),
  };
  if (tile.level > levelMax || !Number.isSafeInteger(tile.index)) return null;
  if (widthText !== undefined && tile.width >= tileWidth) return null;
  return tilePath(tile) === `tile/${path.replace(/^tile\//u, '')}` ? tile : null;
}

/** Hashes that a tree of `size` leaves has at the level of tiles `level`: full subtrees of 256^level leaves. */
export function hashesAtTileLevel(size: number, level: number): number {
  return Math.floor(size / tileWidth ** level);
}

/** The tile at a place, as wide as the tree of `size` leaves has it; null where it has none. */
export function tileInTree(level: number, index: number, size: number): Tile | null {
  const width = Math.min(tileWidth, hashesAtTileLevel(size, level) - index * tileWidth);
  return width > 0 ? { level, index, width } : null;
}

/** The bytes of a tile: `width` hashes, one after the other; more may follow, as in a fuller tile. */
export type ReadTile = (tile: Tile) => Promise<Uint8Array>;

/**
 * Reads hashes of a tree from its tiles, each tile once a call. They are not verified: the caller checks the proof or root made from them.
 * @throws RangeError (when reading) for a node that is not full in that tree, and for a tile that is too short.
 */
export function tileHashes(size: number, readTile: ReadTile): ReadHashes {
  return async (nodes) => {
    const places = nodes.map((node) => placeOf(node, size));
    const tiles = new Map<string, Promise<Uint8Array>>();
    for (const { key, tile } of places) if (!tiles.has(key)) tiles.set(key, readTile(tile));
    await Promise.all(tiles.values());
    return await Promise.all(
      places.map(async ({ key, tile, first, count }) => {
        const bytes = (await tiles.get(key)) ?? new Uint8Array();
        if (bytes.length < tile.width * hashBytes || bytes.length % hashBytes !== 0)
          throw new RangeError(`tile ${key} has ${bytes.length} bytes and should have ${tile.width * hashBytes}`);
        const hashes = Array.from({ length: count }, (_, at) =>
          bytes.slice((first + at) * hashBytes, (first + at + 1) * hashBytes),
        );
        return rootOfFull(hashes);
      }),
    );
  };
}

type Place = { key: string; tile: Tile; first: number; count: number };

const placeOf = ({ level, index }: TreeNode, size: number): Place => {
  const tileLevel = Math.floor(level / tileHeight);
  const count = 2 ** (level % tileHeight);
  const start = index * count;
  const tile = tileInTree(tileLevel, Math.floor(start / tileWidth), size);
  const first = start % tileWidth;
  if (tile === null || first + count > tile.width)
    throw new RangeError(`a tree of ${size} leaves has no full subtree ${index} of level ${level}`);
  return { key: `${tile.level}/${tile.index}`, tile, first, count };
};

const rootOfFull = (hashes: readonly Uint8Array[]): Uint8Array => {
  let level = [...hashes];
  while (level.length > 1)
    level = Array.from({ length: level.length / 2 }, (_, at) =>
      nodeHash(level[at * 2] ?? new Uint8Array(), level[at * 2 + 1] ?? new Uint8Array()),
    );
  return level[0] ?? new Uint8Array();
};
