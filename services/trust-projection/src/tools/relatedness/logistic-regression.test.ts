import { expect, it } from 'vitest';
import { logisticRegression } from './logistic-regression.ts';

it('finds what tells two kinds apart', () => {
  const { bias, factors } = logisticRegression(
    Array.from({ length: 40 }, (_, at) => ({ values: [at, at % 2], isPositive: at >= 20, weight: 1 })),
  );
  const valueAt = (at: number): number => bias + (factors[0] ?? 0) * at + (factors[1] ?? 0) * (at % 2);
  expect([5, 10, 30, 35].map((at) => valueAt(at) > 0)).toEqual([false, false, true, true]);
});
