import { DomainError, type listReviewLeaves } from '@agent-trust/contracts';
import type { Sent } from '@agent-trust/nats-rpc';
import { toHex } from '@agent-trust/transparency-log';
import type { MerkleTree } from '../audit/start-log-record.ts';
import type { ReviewPlace } from '../projector/read-models/ratings/queries.ts';

type ReviewLeaf = NonNullable<Sent<(typeof listReviewLeaves)['output']>['reviews']>[number];

/** The leaves of reviews, in their order. @throws DomainError `unavailable` while the tree is rebuilt: a leaf that is left out would look withheld */
export async function reviewLeaves(
  tree: Pick<MerkleTree, 'leavesAt'>,
  reviews: readonly ReviewPlace[],
): Promise<ReviewLeaf[]> {
  const leaves = await tree.leavesAt(reviews.map(({ position }) => position));
  const byPosition = new Map(leaves.map((leaf) => [leaf.position, leaf]));
  return reviews.map(({ transactionId, position }) => {
    const leaf = byPosition.get(position);
    if (leaf === undefined) throw new DomainError('unavailable', 'The tree is being rebuilt; try again in a moment.');
    return { transactionId, position: String(position), leafIndex: leaf.leafIndex, leafHash: toHex(leaf.hash) };
  });
}
