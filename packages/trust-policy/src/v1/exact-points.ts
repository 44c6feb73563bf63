import type { Contribution } from './trust-score.ts';

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
