import { capThreshold } from './cap-per-root.ts';
import { NOISE_POINTS } from './constants.ts';
import type { Rules } from './rules.ts';

/** The capped average over one set of reviews. */
export type Average = {
  /** `T`, 0–100; the prior if nothing counts. */
  value: number;
  /** Mean of the evidence without the prior, 0–100. Null if nothing counts. */
  evidenceMean: number | null;
  /** `Σ W'_d`: weight of the evidence after the cap. */
  evidenceWeight: number;
  /** `τ`: the weight above which a root is cut. */
  cap: number;
  /** How many roots have a weight. */
  rootCount: number;
};

export type Basis = 'all' | 'recent';

export type Verdict = { score: number; unrounded: number; basis: Basis };

/** `T` of the policy, from `W_d` (uncapped) and `W_d·x̄_d` of each root. */
export function average(prior: number, weights: ArrayLike<number>, values: ArrayLike<number>, rules: Rules): Average {
  const cap = capThreshold(weights, rules);
  let evidenceWeight = 0;
  let evidenceValue = 0;
  let rootCount = 0;
  for (let index = 0; index < weights.length; index += 1) {
    const weight = weights[index] ?? 0;
    if (weight <= 0) continue;
    rootCount += 1;
    const value = values[index] ?? 0;
    evidenceWeight += Math.min(weight, cap);
    evidenceValue += weight > cap ? cap * (value / weight) : value;
  }
  // Equal to (T − (1−s)·P)/s with s = ΣW'/(K+ΣW'), but without subtractions that cancel.
  const evidenceMean = evidenceWeight > 0 ? (100 * evidenceValue) / evidenceWeight : null;
  if (evidenceMean === null) return { value: prior, evidenceMean, evidenceWeight, cap, rootCount };
  const value = (rules.strength * prior + 100 * evidenceValue) / (rules.strength + evidenceWeight);
  return { value, evidenceMean, evidenceWeight, cap, rootCount };
}

/** Fast fall and rounding: if recent evidence is more than 10 points (v1) below all evidence, the score is the lower average. */
export function verdictOf(all: Average, recent: Average | null, rules: Rules): Verdict {
  const falls =
    recent !== null &&
    recent.evidenceMean !== null &&
    all.evidenceMean !== null &&
    all.evidenceMean - recent.evidenceMean > rules.fastFallPoints + NOISE_POINTS;
  // Averages that differ by noise only are equal: whichever is lower would depend on the order of additions.
  const basis: Basis = falls && recent.value < all.value - NOISE_POINTS ? 'recent' : 'all';
  const unrounded = settleHalf(clamp(basis === 'recent' && recent !== null ? recent.value : all.value));
  return { score: clamp(Math.floor(unrounded + 0.5)), unrounded, basis };
}

/** A score within 0–100. */
export function clamp(value: number): number {
  return Math.min(100, Math.max(0, value));
}

/** Turns a value that differs from n + 0.5 by noise only into it, so that every exact computation rounds alike. */
export function settleHalf(value: number): number {
  const half = Math.floor(value) + 0.5;
  return Math.abs(value - half) < NOISE_POINTS ? half : value;
}
