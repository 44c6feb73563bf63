import { seededRandom } from '@agent-trust/test-kit/seeded-random';
import { describe, expect, it } from 'vitest';
import { median, medianOfPairs } from './paired.ts';

/*
 * Bug: the interval is that of another share, or holds single pairs for independent where they share a start, so that a cost looks certain that is not.
 * Method: made-up ratios with a known median; how often the interval holds it, over many samples, against the 95 % that it promises.
 */

/** Ratios around a median: those of a start have a shift in common, and each has noise of its own. */
const sampleOf = (seed: number, { starts, pairs, shift }: { starts: number; pairs: number; shift: number }) => {
  const random = seededRandom(seed);
  const noise = (): number => random() - 0.5;
  return Array.from({ length: starts }, () => {
    const common = shift * noise();
    return Array.from({ length: pairs }, () => 1.03 + common + 0.04 * noise());
  });
};

const coverage = (shape: Parameters<typeof sampleOf>[1], seeds: number): number => {
  let held = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { lower, upper } = medianOfPairs(sampleOf(seed, shape));
    if (lower <= 1.03 && 1.03 <= upper) held += 1;
  }
  return held / seeds;
};

describe('the median of pairs', () => {
  it('is the middle value, or half of both', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([7])).toBe(7);
  });

  it('has an interval of no width where all pairs agree', () => {
    expect(medianOfPairs([[1.02, 1.02], [1.02]])).toEqual({ median: 1.02, lower: 1.02, upper: 1.02 });
  });

  it('lies within its interval, whose ends are values that were measured or between two of them', () => {
    const groups = [[1.01, 1.05, 1.02], [1.2, 1.1], [0.9]];
    const { median: middle, lower, upper } = medianOfPairs(groups);
    expect(lower).toBeLessThanOrEqual(middle);
    expect(upper).toBeGreaterThanOrEqual(middle);
    expect(lower).toBeGreaterThanOrEqual(0.9);
    expect(upper).toBeLessThanOrEqual(1.2);
  });

  it('holds the true median about as often as it promises', () => {
    const share = coverage({ starts: 1, pairs: 60, shift: 0 }, 20);
    expect(share).toBeGreaterThanOrEqual(0.8);
    expect(share).toBeLessThanOrEqual(1);
  });

  it('is wider where what differs is the start, not the single pair', () => {
    const width = (groups: number[][]): number => {
      const { lower, upper } = medianOfPairs(groups);
      return upper - lower;
    };
    const byStart = sampleOf(5, { starts: 4, pairs: 15, shift: 0.1 });
    const alone = [byStart.flat()];
    expect(width(byStart)).toBeGreaterThan(1.5 * width(alone));
  });
});
