import {
  type Frontier,
  fromHex,
  hashBytes,
  type ReadHashes,
  type Tile,
  tileHashes,
  tileWidth,
} from '@agent-trust/transparency-log';
import sql, { type Sql } from 'sql-template-tag';
import type { ReadModelDatabase } from '../../shared/database.ts';
import { frontierOfRow } from './projection.ts';

/** The tree as far as it has been computed. `position` is the last leaf's, null without leaves. */
export type TreeHead = { frontier: Frontier; position: bigint | null };

const noLeaves: TreeHead = { frontier: frontierOfRow({ size: 0n, frontier: '' }), position: null };

export type FoundLeaf = { leafIndex: number; position: bigint; hash: Uint8Array };

const findLeaves = async (database: ReadModelDatabase, condition: Sql): Promise<FoundLeaf[]> => {
  const rows = await database.query<{ leafIndex: bigint; position: bigint; hash: string }>(
    sql`SELECT leaf_index, position, hash FROM merkle_leaf WHERE ${condition}`,
  );
  return rows.map(({ leafIndex, position, hash: base64 }) => {
    const hash = new Uint8Array(Buffer.from(base64, 'base64'));
    if (hash.length !== hashBytes) throw new Error(`leaf ${leafIndex} has a hash of ${hash.length} bytes`);
    return { leafIndex: Number(leafIndex), position, hash };
  });
};

export type MerkleTree = ReturnType<typeof merkleTreeIn>;

/** The tree as the log record has it. */
export function merkleTreeIn(database: ReadModelDatabase) {
  /** The hashes of a tile, concatenated: fewer than its width, or none, if the tree does not have them (yet). */
  const tile = async ({ level, index, width }: Tile): Promise<Uint8Array> => {
    const from = BigInt(index) * BigInt(tileWidth);
    const to = from + BigInt(width);
    const [row] = await database.query<{ hashes: string | null }>(
      level === 0
        ? sql`SELECT encode(string_agg(decode(hash, 'base64'), ''::bytea ORDER BY leaf_index), 'hex') AS hashes
            FROM merkle_leaf WHERE leaf_index >= ${from} AND leaf_index < ${to}`
        : sql`SELECT encode(string_agg(decode(hash, 'base64'), ''::bytea ORDER BY subtree_index), 'hex') AS hashes
            FROM merkle_subtree WHERE subtree_index >= ${from} AND subtree_index < ${to} AND level = ${level}`,
    );
    return fromHex(row?.hashes ?? '');
  };
  return {
    tile,
    head: async (): Promise<TreeHead> => {
      const [row] = await database.query<{ size: bigint; frontier: string; position: bigint }>(
        sql`SELECT size, frontier, position FROM merkle_tree`,
      );
      return row === undefined ? noLeaves : { frontier: frontierOfRow(row), position: row.position };
    },
    /** Reads hashes of the tree of `size` leaves, which the log record must have reached. */
    hashes: (size: number): ReadHashes => tileHashes(size, tile),
    /** The leaves of events at these positions, in the order of the log; positions without one are left out. */
    leavesAt: (positions: readonly bigint[]): Promise<FoundLeaf[]> =>
      findLeaves(database, sql`position = ANY (${positions}::bigint[]) ORDER BY leaf_index`),
    /** A leaf by its place in the tree or by its event's id (the first, should a log hold one id twice); null if there is none. */
    leaf: async (wanted: { index: number } | { eventId: string }): Promise<FoundLeaf | null> => {
      const condition =
        'index' in wanted
          ? sql`leaf_index = ${wanted.index}`
          : sql`event_id = ${wanted.eventId} ORDER BY leaf_index LIMIT 1`;
      const [leaf] = await findLeaves(database, condition);
      return leaf ?? null;
    },
  };
}
