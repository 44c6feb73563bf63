import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fill } from './fill.ts';
import { markOf } from './mark.ts';

/** As the policy's text says it: roots sorted by `W_d/c_d`, cut from the top. */
const bySorting = (strength: number, roots: readonly { weight: number; cap: number }[]): number => {
  const sorted = roots.toSorted((a, b) => b.weight / b.cap - a.weight / a.cap);
  for (let cut = 0; ; cut += 1) {
    const shares = sorted.slice(0, cut).reduce((sum, { cap }) => sum + cap, 0);
    const free = sorted.slice(cut).reduce((sum, { weight }) => sum + weight, strength);
    const total = free / (1 - shares);
    const next = sorted[cut];
    if (next === undefined || next.weight <= next.cap * total) return total;
  }
};

const root = fc.record({
  weight: fc.oneof(fc.double({ min: 0, max: 3, noNaN: true }), fc.double({ min: 0, max: 1e5, noNaN: true })),
  mean: fc.double({ min: 0, max: 1, noNaN: true }),
  mark: fc.constantFrom(markOf(true, true), markOf(false, true), 0),
});
const shares = fc.constantFrom([0.2, 0.09], [0.2, 0.01], [0.02, 0.02], [1, 0.5], [1, 1]);

test('the weight of all that counts solves Z = K + Σ min(W, c·Z), as sorting does', () => {
  fc.assert(
    fc.property(
      fc.array(root, { maxLength: 60, size: 'max' }),
      shares,
      fc.constantFrom<number[]>(0.1, 5),
      (given, [s, n], strength) => {
        const caps = { marks: given.map(({ mark }) => mark), praiseFrom: 0.4, shareMax: s ?? 1, newShareMax: n ?? 1 };
        const weights = given.map(({ weight }) => weight);
        const values = given.map(({ weight, mean }) => weight * mean);
        const { total, weight: filledWeight, value } = fill(strength, { weights, values }, caps);
        const roots = given.map((each, place) => ({
          ...each,
          cap:
            (values[place] ?? 0) > 0.4 * each.weight && each.mark !== markOf(true, true)
              ? caps.newShareMax
              : caps.shareMax,
        }));
        const filled = roots.reduce((sum, { weight, cap }) => sum + Math.min(weight, cap * total), strength);
        expect(Math.abs(total - filled)).toBeLessThanOrEqual(1e-11 * total);
        const filledValue = roots.reduce((sum, { weight, cap, mean }) => sum + Math.min(weight, cap * total) * mean, 0);
        expect(Math.abs(filledWeight + strength - total)).toBeLessThanOrEqual(1e-11 * total);
        expect(Math.abs(value - filledValue)).toBeLessThanOrEqual(1e-11 * total);
        expect(Math.abs(total - bySorting(strength, roots))).toBeLessThanOrEqual(1e-11 * total);
      },
    ),
    { numRuns: 2000 },
  );
});

test('ends where rounding puts a root on the other side of its cap with each pass', () => {
  const weights = [2.54, 2.5900000000000003, 2.5000000000000004];
  const marks = weights.map(() => markOf(true, true));
  const caps = { marks, praiseFrom: 0.4, shareMax: 0.2, newShareMax: 0.09 };
  const { total, weight, value } = fill(5, { weights, values: weights }, caps);
  expect(total).toBeCloseTo(12.5, 12);
  expect(weight).toBeCloseTo(7.5, 12);
  expect(value).toBeCloseTo(7.5, 12);
});

test('ends with a root at its cap to the last digits', () => {
  const nearCap = fc.record({
    share: fc.constantFrom(0.2, 0.15, 0.09, 0.05),
    heavy: fc.array(fc.constantFrom(1, 1 + 2 ** -52, 1.01, 2), { maxLength: 4 }),
    strength: fc.double({ min: 0.1, max: 100, noNaN: true }),
    steps: fc.integer({ min: -6, max: 6 }),
  });
  fc.assert(
    fc.property(nearCap, ({ share, heavy, strength, steps }) => {
      // With all of them cut, the weight that each may have.
      const limit = (share * strength) / (1 - share * (heavy.length + 1));
      fc.pre(limit > 0 && Number.isFinite(limit));
      const weights = [...heavy.map((factor) => factor * limit), limit * (1 + steps * 2 ** -52)];
      const caps = { marks: weights.map(() => 0), praiseFrom: -1, shareMax: share, newShareMax: share };
      const { total } = fill(strength, { weights, values: weights }, caps);
      const filled = weights.reduce((sum, weight) => sum + Math.min(weight, share * total), strength);
      expect(Math.abs(total - filled)).toBeLessThanOrEqual(1e-11 * total);
    }),
    { numRuns: 5000 },
  );
});
