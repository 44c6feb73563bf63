import { defineTable, type RowOf } from '@agent-trust/projections';

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
