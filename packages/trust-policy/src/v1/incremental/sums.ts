import { RECENT_AGE_MS_MAX, WEIGHT_MIN } from '../constants.ts';
import { counts } from '../review.ts';
import type { RecentReview, RootEvidence } from './evidence.ts';
import { indexOfRoot } from './root-table.ts';
import { decayAt, scaleOf, weightAt } from './scale.ts';

/** Sums per root at the time of the newest review, in the order of the evidence's roots. */
export type EvidenceSums = {
  weights: Float64Array;
  values: Float64Array;
  recentWeights: Float64Array;
  recentValues: Float64Array;
  /** 1 where a review among the recent ones names the root, counted or not. */
  named: Uint8Array;
};

/**
 * Reads both sums of each root out of the evidence. One pass over the roots, and over the at most 3 recent reviews of those that
 * have split or very light or no longer recent ones among them.
 */
export const sumsAt = (roots: readonly RootEvidence[], epoch: number, now: number): EvidenceSums => {
  const decay = decayAt(now, epoch);
  const sums: EvidenceSums = {
    weights: new Float64Array(roots.length),
    values: new Float64Array(roots.length),
    recentWeights: new Float64Array(roots.length),
    recentValues: new Float64Array(roots.length),
    named: new Uint8Array(roots.length),
  };
  for (let index = 0; index < roots.length; index += 1) {
    const root = roots[index];
    if (root === undefined) continue;
    sums.weights[index] = (root.weight + root.weightError) * decay;
    sums.values[index] = (root.sum + root.sumError) * decay;
    if (root.plainFrom !== null && now - root.plainFrom <= RECENT_AGE_MS_MAX) {
      sums.named[index] = 1;
      sums.recentWeights[index] = (sums.recentWeights[index] ?? 0) + root.recentWeight * decay;
      sums.recentValues[index] = (sums.recentValues[index] ?? 0) + root.recentSum * decay;
      continue;
    }
    for (const review of root.recent) {
      if (now - review.at > RECENT_AGE_MS_MAX) continue;
      addRecent(sums, roots, index, review, recentWeight(review, epoch, decay, now));
    }
  }
  return sums;
};

const addRecent = (
  sums: EvidenceSums,
  roots: readonly RootEvidence[],
  mainIndex: number,
  review: RecentReview,
  weight: number,
): void => {
  for (let place = 0; place < review.roots.length; place += 1) {
    const part = review.roots[place];
    if (part === undefined) continue;
    // A review with one root counts for that root, so nothing need be looked up.
    const index = review.roots.length === 1 ? mainIndex : indexOfRoot(roots, part[0]);
    const weighed = weight * part[1];
    sums.named[index] = 1;
    sums.recentWeights[index] = (sums.recentWeights[index] ?? 0) + weighed;
    sums.recentValues[index] = (sums.recentValues[index] ?? 0) + weighed * review.value;
  }
};

/** `w` of a recent review, 0 when it does not count. The exact expression decides only where the quick one is near the limit. */
const recentWeight = (review: RecentReview, epoch: number, decay: number, now: number): number => {
  const weight = review.unit * scaleOf(review, review.newer, epoch) * decay;
  if (weight > NEAR_MINIMUM || counts(weightAt(review, review.newer, now))) return weight;
  return 0;
};

const NEAR_MINIMUM = WEIGHT_MIN * 1.001;
