import { type Average, average, type Basis, verdictOf } from './formula.ts';
import type { Rules } from './rules.ts';

export type RootContribution = {
  root: string;
  /** `W_d`, before the cap. */
  weight: number;
  /** `W'_d = min(W_d, τ)`. */
  cappedWeight: number;
  /** `x̄_d`, 0–1. */
  mean: number;
  points: number;
};

/** An average with the part of each root; prior points and root points sum to `value`. */
export type ExplainedAverage = Average & { priorPoints: number; roots: RootContribution[] };

/** A score with its explanation. Plain JSON. */
export type TrustScore = {
  /** The published score: an integer, 0–100. */
  score: number;
  unrounded: number;
  policy: string;
  /** Which average is the score: that of all reviews, or after a fast fall that of the recent ones. */
  basis: Basis;
  all: ExplainedAverage;
  /** Null before the first review. */
  recent: ExplainedAverage | null;
  roots: RootContribution[];
  prior: number;
  strength: number;
};

/** A line of an explanation; the points of all lines sum to `unrounded`. */
export type Contribution = {
  kind: 'prior' | 'root';
  root: string | null;
  weight: number;
  cappedWeight: number;
  /** 0–1. */
  mean: number;
  points: number;
};

/** Sums per root over one set of reviews: parallel lists in alphabetical order of root. */
export type RootSums = { roots: readonly string[]; weights: ArrayLike<number>; values: ArrayLike<number> };

/** The score and its explanation, from the sums over all reviews and over the recent ones (null without reviews). */
export function trustScoreOf(prior: number, allSums: RootSums, recentSums: RootSums | null, rules: Rules): TrustScore {
  const all = explain(prior, allSums, rules);
  const recent = recentSums === null ? null : explain(prior, recentSums, rules);
  const verdict = verdictOf(all, recent, rules);
  const roots = verdict.basis === 'recent' && recent !== null ? recent.roots : all.roots;
  return { ...verdict, policy: rules.policyName, all, recent, roots, prior, strength: rules.strength };
}

export function contributionsOf(score: TrustScore): Contribution[] {
  const basis = score.basis === 'recent' && score.recent !== null ? score.recent : score.all;
  return [
    {
      kind: 'prior',
      root: null,
      weight: score.strength,
      cappedWeight: score.strength,
      mean: score.prior / 100,
      points: basis.priorPoints,
    },
    ...basis.roots.map((root): Contribution => ({ kind: 'root', ...root })),
  ];
}

const explain = (prior: number, { roots, weights, values }: RootSums, rules: Rules): ExplainedAverage => {
  const result = average(prior, weights, values, rules);
  const total = rules.strength + result.evidenceWeight;
  const contributions: RootContribution[] = [];
  roots.forEach((root, index) => {
    const weight = weights[index] ?? 0;
    if (weight <= 0) return;
    const cappedWeight = Math.min(weight, result.cap);
    const mean = Math.min(1, Math.max(0, (values[index] ?? 0) / weight));
    contributions.push({ root, weight, cappedWeight, mean, points: (100 * cappedWeight * mean) / total });
  });
  const priorPoints = contributions.length === 0 ? prior : (rules.strength * prior) / total;
  return { ...result, priorPoints, roots: contributions };
};

/**
 * The contributions with points that sum to exactly `unrounded`, added in any order.
 *
 * Each is rounded to a multiple of the last binary place of `unrounded`; the largest gets the difference, about 1e-14 for each contribution. All
 * partial sums are then multiples of that place and at most `unrounded`, so each of them is a double.
 *
 * @param unrounded 0–100, the sum of the points but for rounding.
 */
export function withExactPoints(contributions: readonly Contribution[], unrounded: number): Contribution[] {
  const place = lastPlaceOf(unrounded);
  const points = contributions.map((contribution) => Math.round(contribution.points / place) * place);
  const largest = points.reduce((best, value, index) => (value > (points[best] ?? 0) ? index : best), 0);
  // Subtraction from the score is exact; a sum of the points may exceed the next power of two, above which half of these multiples are no doubles.
  const leftOver = points.reduce((left, value) => left - value, unrounded);
  return contributions.map((contribution, index) => {
    const rounded = points[index] ?? 0;
    return { ...contribution, points: index === largest ? rounded + leftOver : rounded };
  });
}

/** The value of the last of a double's 53 binary places; for 0 that of the smallest normal double. */
const lastPlaceOf = (value: number): number =>
  value < SMALLEST_NORMAL ? SMALLEST_NORMAL : 2 ** (Math.floor(Math.log2(value)) - MANTISSA_PLACES);

const SMALLEST_NORMAL = 2 ** -1022;
const MANTISSA_PLACES = 52;
