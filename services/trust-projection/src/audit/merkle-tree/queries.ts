import {
  type Frontier,
  fromHex,
  hashBytes,
  type ReadHashes,
  type Tile,
  tileHashes,
  tileWidth,
} from '@agent-trust/transparency-log';
import type { ReadModelDatabase } from '../../shared/database.ts';
import { frontierOfRow } from './projection.ts';

/** The tree as far as it has been computed. `position` is the last leaf's, null without leaves. */
export type TreeHead = { frontier: Frontier; position: bigint | null };

const noLeaves: TreeHead = { frontier: frontierOfRow({ size: 0n, frontier: '' }), position: null };

export async function findTreeHead(database: ReadModelDatabase): Promise<TreeHead> {
  const [row] = await database.query<{ size: bigint; frontier: string; position: bigint }>({
    name: 'merkle-tree',
    text: 'SELECT size, frontier, position FROM merkle_tree',
    values: [],
  });
  return row === undefined ? noLeaves : { frontier: frontierOfRow(row), position: row.position };
}

/** The hashes of a tile, one after the other: fewer than its width, or none, where the tree does not have them (yet). */
export async function findTile(database: ReadModelDatabase, { level, index, width }: Tile): Promise<Uint8Array> {
  const from = BigInt(index) * BigInt(tileWidth);
  const ofLeaves = level === 0;
  const column = ofLeaves ? 'leaf_index' : 'subtree_index';
  const rows = await database.query<{ hashes: string | null }>({
    name: ofLeaves ? 'merkle-tile-of-leaves' : 'merkle-tile',
    text: `SELECT encode(string_agg(decode(hash, 'base64'), ''::bytea ORDER BY ${column}), 'hex') AS hashes
      FROM ${ofLeaves ? 'merkle_leaf' : 'merkle_subtree'}
      WHERE ${column} >= $1 AND ${column} < $2 ${ofLeaves ? '' : 'AND level = $3'}`,
    values: [String(from), String(from + BigInt(width)), ...(ofLeaves ? [] : [level])],
  });
  return fromHex(rows[0]?.hashes ?? '');
}

/** Reads hashes of the tree of `size` leaves, which the log record must have reached. */
export function hashesOfTree(database: ReadModelDatabase, size: number): ReadHashes {
  return tileHashes(size, (tile) => findTile(database, tile));
}

export type FoundLeaf = { leafIndex: number; position: bigint; hash: Uint8Array };

type LeafRow = { leafIndex: bigint; position: bigint; hash: string };
const leafColumns = 'leaf_index AS "leafIndex", position, hash';

const foundLeaf = (row: LeafRow): FoundLeaf => {
  const hash = new Uint8Array(Buffer.from(row.hash, 'base64'));
  if (hash.length !== hashBytes) throw new Error(`leaf ${row.leafIndex} has a hash of ${hash.length} bytes`);
  return { leafIndex: Number(row.leafIndex), position: row.position, hash };
};

/** The leaves of events at these positions, in the order of the log; positions without one are left out. */
export async function findLeavesAt(database: ReadModelDatabase, positions: readonly bigint[]): Promise<FoundLeaf[]> {
  const rows = await database.query<LeafRow>({
    name: 'merkle-leaves-at',
    text: `SELECT ${leafColumns} FROM merkle_leaf WHERE position = ANY ($1::bigint[]) ORDER BY leaf_index`,
    values: [positions.map(String)],
  });
  return rows.map(foundLeaf);
}

/** A leaf by its place in the tree or by its event's id (the first of them, should a log hold one id twice); null where there is none. */
export async function findLeaf(
  database: ReadModelDatabase,
  wanted: { index: number } | { eventId: string },
): Promise<FoundLeaf | null> {
  const [row] = await database.query<LeafRow>(
    'index' in wanted
      ? {
          name: 'merkle-leaf-by-index',
          text: `SELECT ${leafColumns} FROM merkle_leaf WHERE leaf_index = $1`,
          values: [wanted.index],
        }
      : {
          name: 'merkle-leaf-by-event-id',
          text: `SELECT ${leafColumns} FROM merkle_leaf WHERE event_id = $1 ORDER BY leaf_index LIMIT 1`,
          values: [wanted.eventId],
        },
  );
  return row === undefined ? null : foundLeaf(row);
}

/** The tree as other parts read it. */
export type MerkleTree = {
  head: () => Promise<TreeHead>;
  tile: (tile: Tile) => Promise<Uint8Array>;
  hashes: (size: number) => ReadHashes;
  leavesAt: (positions: readonly bigint[]) => Promise<FoundLeaf[]>;
  leaf: (wanted: Parameters<typeof findLeaf>[1]) => Promise<FoundLeaf | null>;
};

export function merkleTreeIn(database: ReadModelDatabase): MerkleTree {
  return {
    head: () => findTreeHead(database),
    tile: (tile) => findTile(database, tile),
    hashes: (size) => hashesOfTree(database, size),
    leavesAt: (positions) => findLeavesAt(database, positions),
    leaf: (wanted) => findLeaf(database, wanted),
  };
}
