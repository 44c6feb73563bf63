import { type Average, average, type Basis, verdictOf } from './formula.ts';
import type { Rules } from './rules.ts';

/** The part of one root domain in an average. */
export type RootContribution = {
  root: string;
  /** `W_d`, before the cap. */
  weight: number;
  /** `W'_d = min(W_d, τ)`. */
  cappedWeight: number;
  /** `x̄_d`, 0–1. */
  mean: number;
  /** Its part of the average's value. */
  points: number;
};

/** An average with the part of each root; prior points and root points sum to `value`. */
export type ExplainedAverage = Average & { priorPoints: number; roots: RootContribution[] };

/** A score with its explanation. Plain JSON. */
export type TrustScore = {
  /** The published score: an integer, 0–100. */
  score: number;
  /** The score before rounding. */
  unrounded: number;
  /** Name of its policy. */
  policy: string;
  /** Which average is the score: that of all reviews, or after a fast fall that of the recent ones. */
  basis: Basis;
  all: ExplainedAverage;
  /** Null before the first review. */
  recent: ExplainedAverage | null;
  /** The roots of the average that is the score. */
  roots: RootContribution[];
  prior: number;
  /** Weight of the prior. */
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

/** The parts of the score: the prior, then each root. */
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
