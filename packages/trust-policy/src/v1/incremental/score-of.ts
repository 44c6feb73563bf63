import type { TrustPolicy } from '../../policy/trust-policy.ts';
import { NO_ROOT, NOISE_POINTS } from '../constants.ts';
import { counts, splitOf } from '../review.ts';
import { type Rules, rulesOf } from '../rules.ts';
import { type TrustScore, trustScoreOf } from '../trust-score.ts';
import { type AgentEvidence, NOT_PLAIN, type RecentReview, type RootColumns } from './evidence.ts';
import { indexOfRoot } from './root-table.ts';
import { decayAt, scaleOf, weightAt } from './scale.ts';

/** The explained score of an agent's evidence, under the policy of that evidence. */
export function scoreOf(evidence: AgentEvidence, policy: TrustPolicy): TrustScore {
  const rules = rulesOf(policy);
  if (evidence.newestAt === null) {
    return trustScoreOf(evidence.prior, { roots: [], weights: [], values: [] }, null, rules);
  }
  const sums = sumsAt(evidence, evidence.epoch, evidence.newestAt, rules);
  const { roots } = evidence;
  return trustScoreOf(
    evidence.prior,
    { roots, weights: sums.weights, values: sums.values },
    { roots, weights: sums.recentWeights, values: sums.recentValues },
    rules,
  );
}

/**
 * The split to record when an agent reviews another: its org_domain if it has one, else the roots whose reviews raised it (their mean is above its
 * prior) in proportion to their uncapped weight, else the shared root `none`. Weights are those at the agent's newest review, because ageing does not
 * change their proportions.
 */
export function rootsOfReviewer(
  reviewer: { orgDomain: string | null; evidence: AgentEvidence | null },
  policy: TrustPolicy,
): Record<string, number> {
  if (reviewer.orgDomain !== null) return splitOf(reviewer.orgDomain, null);
  if (reviewer.evidence === null) return { [NO_ROOT]: 1 };
  const { prior } = reviewer.evidence;
  const raising = scoreOf(reviewer.evidence, policy).all.roots.filter(({ mean }) => 100 * mean > prior + NOISE_POINTS);
  const total = raising.reduce((sum, { weight }) => sum + weight, 0);
  return splitOf(null, Object.fromEntries(raising.map(({ root, weight }) => [root, weight / total])));
}

/** Sums per root at the time of the newest review, in the order of the evidence's roots. */
export type EvidenceSums = {
  weights: number[];
  values: number[];
  recentWeights: number[];
  recentValues: number[];
  /** 1 if a recent review names the root, counted or not. */
  named: number[];
  /** Places of roots of which no stored recent review is still recent. */
  outdated: number[];
};

/** Both sums of each root: one pass over the roots, and over the recent reviews of roots that are not plain (`plainFrom`). */
export function sumsAt(columns: RootColumns, epoch: number, now: number, rules: Rules): EvidenceSums {
  const decay = decayAt(now, epoch, rules);
  const { recentAgeMsMax } = rules;
  const { roots, weightErrors, valueErrors, recent, plainFrom } = columns;
  // Copies of columns are much cheaper than new lists or typed arrays, and this runs for every review.
  const sums: EvidenceSums = {
    weights: columns.weights.slice(),
    values: columns.values.slice(),
    recentWeights: columns.recentWeights.slice(),
    recentValues: columns.recentValues.slice(),
    named: columns.live.slice(),
    outdated: [],
  };
  const isPlain = (place: number): boolean => now - (plainFrom[place] ?? NOT_PLAIN) <= recentAgeMsMax;
  for (let place = 0; place < roots.length; place += 1) {
    const plain = isPlain(place);
    sums.weights[place] = ((sums.weights[place] ?? 0) + (weightErrors[place] ?? 0)) * decay;
    sums.values[place] = ((sums.values[place] ?? 0) + (valueErrors[place] ?? 0)) * decay;
    sums.recentWeights[place] = plain ? (sums.recentWeights[place] ?? 0) * decay : 0;
    sums.recentValues[place] = plain ? (sums.recentValues[place] ?? 0) * decay : 0;
    sums.named[place] = plain ? 1 : 0;
  }
  for (let place = 0; place < roots.length; place += 1) {
    if (isPlain(place)) continue;
    const reviews = recent[place] ?? [];
    const newest = reviews.at(-1);
    if (newest === undefined) continue;
    if (now - newest.at > recentAgeMsMax) {
      sums.outdated.push(place);
      continue;
    }
    for (const review of reviews) {
      if (now - review.at > recentAgeMsMax) continue;
      const weight = recentWeight(review, epoch, decay, now, rules);
      for (let part = 0; part < review.roots.length; part += 1) {
        const [root, share] = review.roots[part] ?? NO_SHARE;
        // A review with one root counts for that root.
        const index = review.roots.length === 1 ? place : indexOfRoot(roots, root);
        addRecent(sums, index, weight * share, weight * share * review.value);
      }
    }
  }
  return sums;
}

const addRecent = (sums: EvidenceSums, place: number, weight: number, value: number): void => {
  sums.named[place] = 1;
  sums.recentWeights[place] = (sums.recentWeights[place] ?? 0) + weight;
  sums.recentValues[place] = (sums.recentValues[place] ?? 0) + value;
};

/** `w` of a recent review, 0 if it does not count. The exact expression decides only if the quick one is close to the limit. */
const recentWeight = (review: RecentReview, epoch: number, decay: number, now: number, rules: Rules): number => {
  const weight = review.unit * scaleOf(review, review.newer, epoch, rules) * decay;
  if (weight > rules.nearMinimum || counts(weightAt(review, review.newer, now, rules), rules)) return weight;
  return 0;
};

const NO_SHARE = ['', 0] as const;
