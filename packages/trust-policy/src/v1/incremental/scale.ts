import { DAY_MS, HALF_LIFE_MS, WEIGHT_MIN } from '../constants.ts';
import { baseWeight, reviewWeight } from '../review.ts';
import type { HeldReview } from './evidence.ts';

/** The half-life period since the Unix epoch that an instant lies in. */
export const epochOf = (at: number): number => Math.floor(at / HALF_LIFE_MS);

/** What a weight scaled to the beginning of `epoch` is worth at `now`. */
export const decayAt = (now: number, epoch: number): number => 2 ** -((now - epoch * HALF_LIFE_MS) / HALF_LIFE_MS);

/** Base weight scaled to the beginning of the period that `at` lies in; see `HeldReview`. */
export const unitOf = (trust: number, value: number, at: number): number =>
  baseWeight(trust, value) * 2 ** ((at - epochOf(at) * HALF_LIFE_MS) / HALF_LIFE_MS);

/** 2 to the power of an integer, exactly: `**` promises that for no base. 0 below the smallest double. */
export const powerOfTwo = (exponent: number): number => {
  const power = POWERS[exponent + POWER_MAX];
  if (power !== undefined) return power;
  if (exponent < 0) return 0;
  throw new RangeError(`2 to the power of ${exponent} is not a double`);
};

/** Factor from a review's `unit` to its weight in sums of the given epoch. */
export const scaleOf = (review: HeldReview, newer: number, epoch: number): number =>
  powerOfTwo(epochOf(review.at) - epoch - newer);

/** `w` of a held review at `now`, by the very expression of the direct form: both must cut off the same reviews. */
export const weightAt = (review: HeldReview, newer: number, now: number): number =>
  reviewWeight(review.trust, newer, (now - review.at) / DAY_MS, review.value);

/** See `PairReview.countsUntil`: a little too early at most. */
export const countsUntil = ({ at, trust, value }: HeldReview): number =>
  Math.floor(at + HALF_LIFE_MS * Math.log2(baseWeight(trust, value) / WEIGHT_MIN)) - SAFETY_MS;

/** More than rounding can make of a time of decades. */
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
