import type { TrustPolicy } from '../policy/trust-policy.ts';
import { DAY_MS } from './constants.ts';
import {
  compareRoots,
  counts,
  mainRoot,
  type Review,
  type RootShare,
  reviewValue,
  reviewWeight,
  rootShares,
} from './review.ts';
import { type Rules, rulesOf } from './rules.ts';
import { type RootSums, type TrustScore, trustScoreOf } from './trust-score.ts';

/** Why a review is not part of the average that is the score. */
export type NotCountedReason = 'weight_below_minimum' | 'older_than_recent' | 'beyond_three_of_root';

/** A review's part in the average that is the score. */
export type ReviewPart = {
  /** `w`, before the split over roots and the cap; 0 if the review is not selected. */
  weight: number;
  /** `x`, 0–1. */
  value: number;
  roots: readonly RootShare[];
  counted: boolean;
  reason: NotCountedReason | null;
};

/**
 * Formula v1, computed from the whole history as its description says: the reference for the incremental form. Reviews are in the order of the log,
 * which is the order of events: a review dated before its predecessor counts as made at the same instant.
 */
export function scoreDirect(prior: number, reviews: readonly Review[], policy: TrustPolicy): TrustScore {
  return explainDirect(prior, reviews, policy).score;
}

/** The score as in `scoreDirect`, with each review's part in it, in the order given. */
export function explainDirect(
  prior: number,
  reviews: readonly Review[],
  policy: TrustPolicy,
): { score: TrustScore; reviews: ReviewPart[] } {
  const rules = rulesOf(policy);
  const dated = datedReviews(reviews, rules);
  const now = dated.at(-1)?.at ?? 0;
  const selection = selectRecent(dated, now, rules);
  const weights = weigh(dated, now, rules);
  const recentWeights = weigh(selection.selected, now, rules);
  const recentSums = dated.length === 0 ? null : sumByRoot(recentWeights, rules);
  const score = trustScoreOf(prior, sumByRoot(weights, rules), recentSums, rules);
  const basis = score.basis === 'recent' ? recentWeights : weights;
  const weightOf = (review: DatedReview): number | NotCountedReason =>
    basis.get(review) ?? selection.refused.get(review) ?? 'older_than_recent';
  return { score, reviews: dated.map((review) => partOf(review, weightOf(review), rules)) };
}

type DatedReview = { at: number; reviewer: string; trust: number; value: number; roots: RootShare[] };
type Weights = Map<DatedReview, number>;

const datedReviews = (reviews: readonly Review[], rules: Rules): DatedReview[] => {
  let at = Number.NEGATIVE_INFINITY;
  return reviews.map((review) => {
    at = Math.max(at, review.reviewedAt);
    const { reviewer, trust } = review;
    return { at, reviewer, trust, value: reviewValue(review, rules), roots: rootShares(review.roots) };
  });
};

/** `w` of each review; `k` is counted among these reviews. */
const weigh = (reviews: readonly DatedReview[], now: number, rules: Rules): Weights => {
  const weights: Weights = new Map();
  const newer = new Map<string, number>();
  for (const review of reviews.toReversed()) {
    const newerCount = newer.get(review.reviewer) ?? 0;
    newer.set(review.reviewer, newerCount + 1);
    weights.set(review, reviewWeight(review.trust, newerCount, (now - review.at) / DAY_MS, review.value, rules));
  }
  return weights;
};

/** The reviews that are not much older than the newest (v1: 90 days), at most 3 (v1) of each root, the newest first. */
const selectRecent = (
  reviews: readonly DatedReview[],
  now: number,
  rules: Rules,
): { selected: DatedReview[]; refused: Map<DatedReview, NotCountedReason> } => {
  const selected: DatedReview[] = [];
  const refused = new Map<DatedReview, NotCountedReason>();
  const perRoot = new Map<string, number>();
  for (const review of reviews.toReversed()) {
    const root = mainRoot(review.roots);
    const taken = perRoot.get(root) ?? 0;
    if (now - review.at > rules.recentAgeMsMax) refused.set(review, 'older_than_recent');
    else if (taken >= rules.recentPerRootMax) refused.set(review, 'beyond_three_of_root');
    else {
      perRoot.set(root, taken + 1);
      selected.push(review);
    }
  }
  return { selected: selected.reverse(), refused };
};

const sumByRoot = (weights: Weights, rules: Rules): RootSums => {
  const sums = new Map<string, { weight: number; value: number }>();
  for (const [review, weight] of weights) {
    if (!counts(weight, rules)) continue;
    for (const [root, share] of review.roots) {
      const sum = sums.get(root) ?? { weight: 0, value: 0 };
      sum.weight += weight * share;
      sum.value += weight * share * review.value;
      sums.set(root, sum);
    }
  }
  const sorted = [...sums].sort(([a], [b]) => compareRoots(a, b));
  return {
    roots: sorted.map(([root]) => root),
    weights: sorted.map(([, sum]) => sum.weight),
    values: sorted.map(([, sum]) => sum.value),
  };
};

/** A review's part, from its weight in the selection, or from the reason why it is not selected. */
export function partOf(
  { value, roots }: Pick<ReviewPart, 'value' | 'roots'>,
  weight: number | NotCountedReason,
  rules: Rules,
): ReviewPart {
  if (typeof weight !== 'number') return { weight: 0, value, roots, counted: false, reason: weight };
  const counted = counts(weight, rules);
  return { weight, value, roots, counted, reason: counted ? null : 'weight_below_minimum' };
}
