import type { TrustPolicy } from '../../policy/trust-policy.ts';
import { DAY_MS } from '../constants.ts';
import { type NotCountedReason, partOf, type ReviewPart } from '../direct.ts';
import { type Review, reviewValue, reviewWeight, rootShares } from '../review.ts';
import { type Rules, rulesOf } from '../rules.ts';
import type { Basis } from '../formula.ts';
import type { AgentEvidence } from './evidence.ts';

export type KeptReview = Pick<Review, 'roots' | 'trust' | 'success' | 'score'> & {
  /** Its number among the agent's reviews, in log order, from 0. */
  sequence: number;
  /** Effective time, in milliseconds since the Unix epoch. */
  at: number;
  /** The newer reviews of this agent by the same reviewer. */
  newer: number;
};

/** The parts of an agent's reviews in its score, equal to those of `explainDirect`, from the evidence and one review at a time. */
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
  return partsOf({ now, recent }, basis, rules);
}

/**
 * The parts of reviews under either formula.
 *
 * @param now effective time of the newest review, in milliseconds since the Unix epoch
 * @param recent how many newer reviews the same reviewer has given, of each recent review by its number
 */
export function partsOf(
  { now, recent }: { now: number; recent: ReadonlyMap<number, number> },
  basis: Basis,
  rules: Rules,
): (review: KeptReview) => ReviewPart {
  const refusal = (at: number): NotCountedReason =>
    now - at > rules.recentAgeMsMax ? 'older_than_recent' : 'beyond_three_of_root';
  return ({ sequence, at, newer, trust, roots, ...review }) => {
    const value = reviewValue(review, rules);
    const newerCount = basis === 'all' ? newer : recent.get(sequence);
    const weight =
      newerCount === undefined ? refusal(at) : reviewWeight(trust, newerCount, (now - at) / DAY_MS, value, rules);
    return partOf({ value, roots: rootShares(roots) }, weight, rules);
  };
}
