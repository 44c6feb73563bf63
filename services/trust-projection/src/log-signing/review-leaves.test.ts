import { expect, it } from 'vitest';
import { reviewLeaves } from './review-leaves.ts';

const review = (position: bigint) => ({ transactionId: `t${position}`, position });
const leaf = (position: bigint) => ({ position, leafIndex: Number(position) - 1, hash: new Uint8Array(32).fill(1) });
const treeOf = (...positions: bigint[]) => ({ leavesAt: async () => positions.map(leaf) });

it('are in the order of the reviews', async () => {
  const leaves = await reviewLeaves(treeOf(2n, 9n), [review(2n), review(9n)]);
  expect(leaves).toEqual([
    { transactionId: 't2', position: '2', leafIndex: 1, leafHash: '01'.repeat(32) },
    { transactionId: 't9', position: '9', leafIndex: 8, leafHash: '01'.repeat(32) },
  ]);
});

// Bug: while the tree is rebuilt, the review of a leaf that is not there yet looks withheld.
it('are refused as long as one is missing', async () => {
  await expect(reviewLeaves(treeOf(2n), [review(2n), review(9n)])).rejects.toMatchObject({ code: 'unavailable' });
});
