import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capThreshold } from './cap-per-root.ts';
import { ROOT_SHARE_MAX, STRENGTH } from './constants.ts';

const weight = fc.oneof(
  fc.double({ min: 0, max: 2, noNaN: true }),
  fc.double({ min: 0, max: 1e6, noNaN: true }),
  fc.constantFrom(0, 1, 5, 1.25),
);

describe('capThreshold', () => {
  test('solves τ = 0.2·(K + Σ min(W, τ)) for any number of roots', () => {
    fc.assert(
      fc.property(fc.array(weight, { maxLength: 30, size: 'max' }), (weights) => {
        const cap = capThreshold(weights);
        const total = STRENGTH + weights.reduce((sum, each) => sum + Math.min(each, cap), 0);
        expect(Math.abs(cap - ROOT_SHARE_MAX * total)).toBeLessThanOrEqual(1e-12 * total);
      }),
      { numRuns: 2000 },
    );
  });

  test('does not depend on the order of the roots', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 64 }), { maxLength: 12 }), (weights) => {
        expect(capThreshold(weights.toReversed())).toBe(capThreshold(weights));
        expect(capThreshold(weights.toSorted((a, b) => a - b))).toBe(capThreshold(weights));
      }),
    );
  });

  test('five and more equal roots, however heavy, are not cut', () => {
    for (const count of [5, 6, 50]) {
      for (const heavy of [6, 1e3, 1e9]) {
        expect(capThreshold(Array.from({ length: count }, () => heavy))).toBeGreaterThanOrEqual(heavy);
      }
    }
  });

  test('four roots hold 80 percent at most: the cap is what the others and the prior weigh', () => {
    expect(capThreshold([100, 100, 100, 100])).toBe(STRENGTH);
    expect(capThreshold([100, 100, 100, 100, 3])).toBe(STRENGTH + 3);
  });
});
