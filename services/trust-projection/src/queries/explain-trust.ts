import type { ExplainedTrust } from '@agent-trust/contracts';
import { contributionsOf, reviewParts, scoreOf, type TrustPolicy, withExactPoints } from '@agent-trust/trust-policy';
import { type ExplainedRating, findExplainedRatings } from '../projector/read-models/ratings/queries.ts';
import { evidenceAt } from '../projector/read-models/trust-evidence/queries.ts';
import type { ReadModelDatabase } from '../shared/database.ts';
import { pick } from '../shared/pick.ts';
import type { Moment } from './past/moment.ts';

/** What the score of a registered agent was made of at a moment, with a page of its reviews and how many there are on all pages. */
export async function explainTrust(
  database: ReadModelDatabase,
  policyOf: (name: string) => TrustPolicy | Promise<TrustPolicy>,
  asked: { agentId: string; moment: Moment; limit: number; offset: number },
): Promise<{ trust: Omit<ExplainedTrust, 'flags' | 'liveness'>; reviewsTotal: number }> {
  const { agentId, moment, limit, offset } = asked;
  const { position } = moment;
  const { evidence, trustScore, unrounded, trustPolicy } = await evidenceAt(database, agentId, position);
  const policy = await policyOf(trustPolicy);
  const score = scoreOf(evidence, policy);
  const count = evidence.reviewCount;
  const ratings = count === 0 ? [] : await findExplainedRatings(database, { agentId, position, count, limit, offset });
  const partOf = reviewParts(evidence, score.basis, policy);
  return {
    trust: {
      agentId,
      trustScore,
      unrounded,
      trustPolicy,
      asOf: { position: String(position), time: moment.time.toISOString() },
      basis: score.basis,
      prior: score.prior,
      strength: score.strength,
      contributions: withExactPoints(contributionsOf(score), unrounded),
      reviews: ratings.map((rating) => explainedReview(rating, partOf)),
    },
    reviewsTotal: count,
  };
}

const explainedReview = (
  rating: ExplainedRating,
  partOf: ReturnType<typeof reviewParts>,
): ExplainedTrust['reviews'][number] => {
  const part = partOf({
    sequence: Number(rating.place),
    at: rating.countedAt,
    newer: rating.newer,
    trust: rating.reviewerTrust,
    success: rating.success,
    score: rating.score,
    roots: rating.reviewerRoots,
  });
  return {
    ...pick(rating, 'eventId', 'transactionId'),
    reviewerAgentId: rating.callerAgentId,
    reviewedAt: rating.reviewedAt.toISOString(),
    rootWeights: Object.fromEntries(part.roots),
    value: part.value,
    ...(rating.isVoid
      ? ({ weight: 0, counted: false, reason: 'voided' } as const)
      : pick(part, 'weight', 'counted', 'reason')),
  };
};
