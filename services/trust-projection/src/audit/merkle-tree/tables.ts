import { defineTable } from '@agent-trust/projections';

/** Hashes are base64. */
export type MerkleLeafRow = { leafIndex: bigint; position: bigint; eventId: string; hash: string };
export const merkleLeaves = defineTable<MerkleLeafRow>({
  name: 'merkle_leaf',
  columns: { leafIndex: 'bigint', position: 'bigint', eventId: 'text', hash: 'text' },
  key: ['leafIndex'],
  appendOnly: true,
});

/** The roots of full subtrees of 256^level leaves, level 1 and up. */
export type MerkleSubtreeRow = { level: number; subtreeIndex: bigint; hash: string };
export const merkleSubtrees = defineTable<MerkleSubtreeRow>({
  name: 'merkle_subtree',
  columns: { level: 'integer', subtreeIndex: 'bigint', hash: 'text' },
  key: ['level', 'subtreeIndex'],
  appendOnly: true,
});

/** The tree's head. `position` is the last leaf's. */
export type MerkleTreeRow = {
  onlyRow: number;
  size: bigint;
  frontier: string;
  position: bigint;
};
export const merkleTree = defineTable<MerkleTreeRow>({
  name: 'merkle_tree',
  columns: { onlyRow: 'integer', size: 'bigint', frontier: 'text', position: 'bigint' },
  key: ['onlyRow'],
});
