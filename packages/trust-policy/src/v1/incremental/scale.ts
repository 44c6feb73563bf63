import { DAY_MS } from '../constants.ts';
import { baseWeight, reviewWeight } from '../review.ts';
import type { Rules } from '../rules.ts';
import type { HeldReview } from './evidence.ts';

/** The number of the half-life period of an instant, since the Unix epoch. */
export function epochOf(at: number, { halfLifeMs }: Rules): number {
  return Math.floor(at / halfLifeMs);
}

/** The factor from a weight scaled to the beginning of `epoch` to its value at `now`. */
export function decayAt(now: number, epoch: number, { halfLifeMs }: Rules): number {
  return 2 ** -((now - epoch * halfLifeMs) / halfLifeMs);
}

/** See `HeldReview.unit`. */
export function unitOf(trust: number, value: number, at: number, rules: Rules): number {
  return baseWeight(trust, value, rules) * 2 ** ((at - epochOf(at, rules) * rules.halfLifeMs) / rules.halfLifeMs);
}

/** 2 to the power of an integer, exactly, which `**` does not guarantee. 0 below the smallest double. */
export function powerOfTwo(exponent: number): number {
  const power = POWERS[exponent + POWER_MAX];
  if (power !== undefined) return power;
  if (exponent < 0) return 0;
  throw new RangeError(`2 to the power of ${exponent} is not a double`);
}

/** Factor from a review's `unit` to its weight in sums of the given epoch. */
export function scaleOf(review: HeldReview, newer: number, epoch: number, rules: Rules): number {
  return powerOfTwo(epochOf(review.at, rules) - epoch - newer);
}

/** `w` of a held review at `now`, by the expression of the direct form: both must drop the same reviews. */
export function weightAt(review: HeldReview, newer: number, now: number, rules: Rules): number {
  return reviewWeight(review.trust, newer, (now - review.at) / DAY_MS, review.value, rules);
}

/** See `PairReview.countsUntil`; slightly too early at most. */
export function countsUntil({ at, trust, value }: HeldReview, rules: Rules): number {
  return Math.floor(at + rules.halfLifeMs * Math.log2(baseWeight(trust, value, rules) / rules.weightMin)) - SAFETY_MS;
}

/** More than the rounding error of a time of decades. */
const SAFETY_MS = 2;
const POWER_MAX = 1023;
const POWERS = ((): Float64Array => {
  const powers = new Float64Array(2 * POWER_MAX + 1);
  powers[POWER_MAX] = 1;
  for (let exponent = 1; exponent <= POWER_MAX; exponent += 1) {
    powers[POWER_MAX + exponent] = (powers[POWER_MAX + exponent - 1] ?? 0) * 2;
    powers[POWER_MAX - exponent] = (powers[POWER_MAX - exponent + 1] ?? 0) / 2;
  }
  return powers;
})();
