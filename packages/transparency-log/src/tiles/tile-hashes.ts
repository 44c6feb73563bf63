import { hashBytes, nodeHash } from '../hash/tree-hash.ts';
import type { ReadHashes, TreeNode } from '../tree/subtrees.ts';
import { type Tile, tileHeight, tileInTree, tileWidth } from './tile.ts';

/** The bytes of a tile: `width` hashes, one after the other; more may follow, as in a fuller tile. */
export type ReadTile = (tile: Tile) => Promise<Uint8Array>;

/**
 * Reads hashes of the tree of `size` leaves out of its tiles, each tile once a call. What the tiles hold is taken as it is: a proof made
 * from it, or a root, is checked by who uses it.
 *
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
