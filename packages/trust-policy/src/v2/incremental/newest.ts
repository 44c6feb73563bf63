import { type AgentEvidence, NOT_PLAIN, type RecentReview } from '../../v1/incremental/evidence.ts';
import { indexOfRoot } from '../../v1/incremental/root-table.ts';
import { powerOfTwo, scaleOf } from '../../v1/incremental/scale.ts';
import type { RulesV2 } from '../rules.ts';

/**
 * The newest review of each root as columns: where there are many roots, the newest of each are the recent ones, and a pass over columns is several
 * times cheaper than one over as many reviews.
 */
export type NewestColumns = {
  /** Milliseconds since the Unix epoch; `NOT_PLAIN` for a root that no recent review counts for. */
  at: readonly number[];
  /** Its weight if no review of its reviewer is newer, scaled as the evidence's sums are; `SPLIT`, below 0, if it is not that simple. */
  weights: readonly number[];
  /** `x`. */
  opinions: readonly number[];
};

/** In place of the weight of a review that has several roots, roams over roots, or is so light that it may stop counting while recent. */
const SPLIT = -1;

/** The columns of evidence, from the reviews that it keeps. */
export function newestOf({ recent, epoch }: Pick<AgentEvidence, 'recent' | 'epoch'>, rules: RulesV2): NewestColumns {
  const newest = recent.map((reviews) => reviews.at(-1));
  return {
    at: newest.map((review) => review?.at ?? NOT_PLAIN),
    weights: newest.map((review) => (review === undefined ? 0 : plainWeight(review, epoch, rules))),
    opinions: newest.map((review) => review?.value ?? 0),
  };
}

/** The columns after a review for a root, if neither the list of roots nor the epoch has changed. */
export function withNewest(before: NewestColumns, sums: AgentEvidence, root: string, rules: RulesV2): NewestColumns {
  const place = indexOfRoot(sums.roots, root);
  const review = sums.recent[place]?.at(-1);
  if (review === undefined) return before;
  const [at, weights, opinions] = [before.at.slice(), before.weights.slice(), before.opinions.slice()];
  at[place] = review.at;
  weights[place] = plainWeight(review, sums.epoch, rules);
  opinions[place] = review.value;
  return { at, weights, opinions };
}

const plainWeight = (review: RecentReview, epoch: number, rules: RulesV2): number => {
  const isPlain =
    !review.roams &&
    review.roots.length === 1 &&
    review.roots[0]?.[1] === 1 &&
    review.unit * powerOfTwo(rules.recentUnitExponent) > rules.nearMinimum;
  return isPlain ? review.unit * scaleOf(review, 0, epoch, rules) : SPLIT;
};
