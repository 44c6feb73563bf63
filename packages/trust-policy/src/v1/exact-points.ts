import type { Contribution } from './trust-score.ts';

/**
 * The contributions with points that sum to `unrounded` exactly, as numbers: added up in whatever order, no addition rounds.
 *
 * Each is moved to the nearest multiple of the last binary place of `unrounded`, and what is left over by that, some 1e-14 a line, goes to
 * the largest. All partial sums are then multiples of that place and no larger than `unrounded`, so every one of them is a double.
 *
 * @param unrounded 0–100, what the points sum to but for rounding.
 */
export function withExactPoints(contributions: readonly Contribution[], unrounded: number): Contribution[] {
  const place = lastPlaceOf(unrounded);
  const points = contributions.map((contribution) => Math.round(contribution.points / place) * place);
  const largest = points.reduce((best, value, index) => (value > (points[best] ?? 0) ? index : best), 0);
  // From the score down, which no step rounds: a sum of the points may pass the next power of two, above which half of all such multiples
  // are no doubles.
  const leftOver = points.reduce((left, value) => left - value, unrounded);
  return contributions.map((contribution, index) => {
    const rounded = points[index] ?? 0;
    return { ...contribution, points: index === largest ? rounded + leftOver : rounded };
  });
}

/** What the last of the 53 binary places of a double is worth; for 0 that of the least normal one. */
const lastPlaceOf = (value: number): number =>
  value < SMALLEST_NORMAL ? SMALLEST_NORMAL : 2 ** (Math.floor(Math.log2(value)) - MANTISSA_PLACES);

const SMALLEST_NORMAL = 2 ** -1022;
const MANTISSA_PLACES = 52;
