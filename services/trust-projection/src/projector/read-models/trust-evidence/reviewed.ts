import type { Review } from '@agent-trust/trust-policy';
import type { ProjectedRegistryEvent } from '../registry-event.ts';

export type Reviewed = Extract<ProjectedRegistryEvent, { type: 'ExchangeReviewed' }>;

/** A score earned in a sandbox could be farmed in private and then published, so only reviews of production count. */
export function countingReview(event: ProjectedRegistryEvent): Reviewed | null {
  return event.type === 'ExchangeReviewed' && event.data.universe.kind === 'production' ? event : null;
}

/** A review as trust policies of formula v1 take it, with what its event has frozen of the reviewer. */
export function policyReview({ data }: Reviewed): Review {
  return {
    reviewedAt: Date.parse(data.reviewedAt),
    reviewer: data.callerAgentId,
    roots: data.reviewer.roots,
    trust: data.reviewer.trustScore,
    success: data.success,
    score: data.score,
  };
}
