import type { TrustPolicy } from '../../policy/trust-policy.ts';
import { DAY_MS } from '../constants.ts';
import type { NotCountedReason, ReviewPart } from '../direct.ts';
import { counts, type Review, reviewValue, reviewWeight, rootShares } from '../review.ts';
import { rulesOf } from '../rules.ts';
import type { Basis } from '../formula.ts';
import type { AgentEvidence } from './evidence.ts';

/** What is kept of a review that the evidence took in. */
export type KeptReview = Pick<Review, 'roots' | 'trust' | 'success' | 'score'> & {
  /** Its number among the agent's reviews, in log order, from 0. */
  sequence: number;
  /** When it counts as made, in milliseconds since the Unix epoch. */
  at: number;
  /** The newer reviews of this agent by the same reviewer. */
  newer: number;
};

/**
 * Says what part a review has in the score that the evidence comes to: what `explainDirect` says over the whole history, from this one
 * review and the evidence. Made once for an evidence and asked for each review.
 */
export function reviewParts(
  evidence: AgentEvidence,
  basis: Basis,
  policy: TrustPolicy,
): (review: KeptReview) => ReviewPart {
  const rules = rulesOf(policy);
  const now = evidence.newestAt ?? 0;
  const recent = new Map<number, number>();
  for (const ofRoot of evidence.recent) {
    for (const { at, sequence, newer } of ofRoot) if (now - at <= rules.recentAgeMsMax) recent.set(sequence, newer);
  }
  const refusal = (at: number): NotCountedReason =>
    now - at > rules.recentAgeMsMax ? 'older_than_recent' : 'beyond_three_of_root';
  return ({ sequence, at, newer, trust, success, score, roots: shares }) => {
    const value = reviewValue({ success, score }, rules);
    const roots = rootShares(shares);
    const newerCount = basis === 'all' ? newer : recent.get(sequence);
    if (newerCount === undefined) return { weight: 0, value, roots, counted: false, reason: refusal(at) };
    const weight = reviewWeight(trust, newerCount, (now - at) / DAY_MS, value, rules);
    const counted = counts(weight, rules);
    return { weight, value, roots, counted, reason: counted ? null : 'weight_below_minimum' };
  };
}
