import type { Average, Basis } from './formula.ts';
import { average, verdictOf } from './formula.ts';
import type { Rules } from './rules.ts';

/** What one root domain adds to an average. */
export type RootContribution = {
  root: string;
  /** `W_d`, before the cap. */
  weight: number;
  /** `W'_d = min(W_d, τ)`. */
  cappedWeight: number;
  /** `x̄_d`, 0–1. */
  mean: number;
  /** The part of the average's value that comes from this root. */
  points: number;
};

/** An average with each root's part in it; prior points and root points sum to `value`. */
export type ExplainedAverage = Average & { priorPoints: number; roots: RootContribution[] };

/** A score with all that went into it. Plain JSON. */
export type TrustScore = {
  /** The published score: an integer, 0–100. */
  score: number;
  /** The score before rounding. */
  unrounded: number;
  /** Name of the policy that it was computed by. */
  policy: string;
  /** Which average the score is: that of all reviews, or that of the recent ones after a fast fall. */
  basis: Basis;
  all: ExplainedAverage;
  /** Null before the first review. */
  recent: ExplainedAverage | null;
  /** The roots of the average that the score is. */
  roots: RootContribution[];
  prior: number;
  /** Weight of the prior. */
  strength: number;
};

/** One line of an explanation; the points of all lines sum to `unrounded`. */
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

/** The score and its explanation, from the sums over all reviews and over the recent ones (null: there is no review). */
export function trustScoreOf(prior: number, allSums: RootSums, recentSums: RootSums | null, rules: Rules): TrustScore {
  const all = explain(prior, allSums, rules);
  const recent = recentSums === null ? null : explain(prior, recentSums, rules);
  const verdict = verdictOf(all, recent, rules);
  const roots = verdict.basis === 'recent' && recent !== null ? recent.roots : all.roots;
  return { ...verdict, policy: rules.policyName, all, recent, roots, prior, strength: rules.strength };
}

/** The score as a list of what it is made of: the prior first, then each root. */
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
