import { defineTable, type RowOf } from '@agent-trust/projections';
import { leafOfArchived } from '@agent-trust/log-archive';
import {
  appendLeaf,
  emptyFrontier,
  type Frontier,
  frontierBytes,
  frontierOf,
  leafHash,
  logEntryOf,
  tileHeight,
} from '@agent-trust/transparency-log';
import type { LogRecordProjection } from '../log-record-event.ts';

/** Hashes are base64. */
export const merkleLeaves = defineTable({
  name: 'merkle_leaf',
  columns: { leafIndex: 'bigint', position: 'bigint', eventId: 'text', hash: 'text' },
  key: ['leafIndex'],
  appendOnly: true,
});

/** The roots of full subtrees of 256^level leaves, level 1 and up. */
export const merkleSubtrees = defineTable({
  name: 'merkle_subtree',
  columns: { level: 'integer', subtreeIndex: 'bigint', hash: 'text' },
  key: ['level', 'subtreeIndex'],
  appendOnly: true,
});

/** The tree's head. `position` is the last leaf's. */
export const merkleTree = defineTable({
  name: 'merkle_tree',
  columns: { onlyRow: 'integer', size: 'bigint', frontier: 'text', position: 'bigint' },
  key: ['onlyRow'],
});
export type MerkleTreeRow = RowOf<typeof merkleTree>;

const onlyRow = 1;

const asText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** The head's frontier. */
export function frontierOfRow({ size, frontier }: Pick<MerkleTreeRow, 'size' | 'frontier'>): Frontier {
  return frontierOf(Number(size), Buffer.from(frontier, 'base64'));
}

/** Frontiers of rows that were made here, so that a batch does not read for each event what it wrote for the one before. */
const known = new WeakMap<Readonly<MerkleTreeRow>, Frontier>();

const frontierAfter = (head: Readonly<MerkleTreeRow> | undefined): Frontier =>
  head === undefined ? emptyFrontier : (known.get(head) ?? frontierOfRow(head));

/** The text is made when the row is written, which is after thousands of events while a tree is built. */
const headRow = (head: Frontier, position: bigint): MerkleTreeRow => ({
  onlyRow,
  size: BigInt(head.size),
  get frontier() {
    return asText(frontierBytes(head));
  },
  position,
});

/** Grows the RFC 6962 tree by one leaf an event. Every event is a leaf, whatever its type, so that the i-th leaf is the i-th event. */
export const merkleTreeProjection: LogRecordProjection = {
  name: 'merkle-tree',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [merkleLeaves, merkleSubtrees, merkleTree],
  reads: (_, wanted) => wanted.row(merkleTree, onlyRow),
  apply: ({ recorded }, rows) => {
    const before = frontierAfter(rows.get(merkleTree, onlyRow));
    const { position, eventId } = recorded;
    const leaf = leafOfArchived(recorded) ?? leafHash(logEntryOf(recorded));
    const after = appendLeaf(before, leaf, (level, index, hash) => {
      if (level === 0) {
        rows.insert(merkleLeaves, { leafIndex: BigInt(index), position, eventId, hash: asText(hash) });
      } else if (level % tileHeight === 0) {
        rows.insert(merkleSubtrees, {
          level: level / tileHeight,
          subtreeIndex: BigInt(index),
          hash: asText(hash),
        });
      }
    });
    const row = headRow(after, position);
    known.set(row, after);
    rows.put(merkleTree, row);
  },
};
