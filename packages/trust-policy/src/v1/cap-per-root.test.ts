import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capThreshold } from './cap-per-root.ts';
import { policyV1 } from '../policy/trust-policy.ts';
import { rulesOf } from './rules.ts';

const rules = rulesOf(policyV1);
const { strength } = policyV1.constants;
const rulesWith = (rootShareMax: number) =>
  rulesOf({ ...policyV1, name: 'other', constants: { ...policyV1.constants, rootShareMax } });
const share = fc.oneof(
  fc.constantFrom(0.02, 0.05, 0.1, 1 / 7, 1 / 6, 0.2, 0.25, 1 / 3, 0.5, 1),
  fc.double({ min: 0.02, max: 1, noNaN: true }),
);
const weight = fc.oneof(
  fc.double({ min: 0, max: 2, noNaN: true }),
  fc.double({ min: 0, max: 1e6, noNaN: true }),
  fc.constantFrom(0, 1, 5, 1.25),
);

describe('capThreshold', () => {
  test('solves τ = share·(K + Σ min(W, τ)) for any number of roots and any share', () => {
    fc.assert(
      fc.property(
        fc.array(weight, { maxLength: 60, size: 'max' }),
        fc.oneof(fc.constant(0.2), share),
        (weights, part) => {
          const cap = capThreshold(weights, rulesWith(part));
          const total = strength + weights.reduce((sum, each) => sum + Math.min(each, cap), 0);
          expect(Math.abs(cap - part * total)).toBeLessThanOrEqual(1e-12 * total);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('does not depend on the order of the roots', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 64 }), { maxLength: 12 }), (weights) => {
        expect(capThreshold(weights.toReversed(), rules)).toBe(capThreshold(weights, rules));
        expect(
          capThreshold(
            weights.toSorted((a, b) => a - b),
            rules,
          ),
        ).toBe(capThreshold(weights, rules));
      }),
    );
  });

  test('five and more equal roots, of any weight, are not cut', () => {
    for (const count of [5, 6, 50]) {
      for (const heavy of [6, 1e3, 1e9]) {
        expect(
          capThreshold(
            Array.from({ length: count }, () => heavy),
            rules,
          ),
        ).toBeGreaterThanOrEqual(heavy);
      }
    }
  });

  test('four roots hold 80 percent at most: the cap is the weight of the others and the prior', () => {
    expect(capThreshold([100, 100, 100, 100], rules)).toBe(strength);
    expect(capThreshold([100, 100, 100, 100, 3], rules)).toBe(strength + 3);
  });

  test('a share of 1 cuts nothing; a share of 5 percent cuts up to 19 roots', () => {
    expect(capThreshold([1e9], rulesWith(1))).toBeGreaterThan(1e9);
    const cap = capThreshold(
      Array.from({ length: 19 }, () => 1e9),
      rulesWith(0.05),
    );
    expect(cap).toBeCloseTo(strength, 9);
  });
});
