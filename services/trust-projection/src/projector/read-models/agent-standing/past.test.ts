import { describe, expect, it } from 'vitest';
import { heldAt, isSameStanding, lineOf } from './past.ts';
import type { EarnedCounts } from './tables.ts';

const earned = (transactionCount: number, changes: Partial<EarnedCounts> = {}): EarnedCounts => ({
  transactionCount,
  reviewCount: 0,
  successCount: 0,
  lastActive: new Date(1_000 + transactionCount),
  lastTransactionAt: transactionCount === 0 ? null : new Date(1_000),
  liveness: transactionCount === 0 ? null : '[1,1,1,0,30,30,0,1030]',
  ...changes,
});
const lines = [lineOf(10n, earned(0)), lineOf(20n, earned(1)), lineOf(18_446_744_073_709_551_615n, earned(2))].join();

describe("an agent's past standing", () => {
  it.each([
    [0n, 0],
    [9n, 0],
    [10n, 1],
    [19n, 1],
    [20n, 2],
    [2n ** 63n, 2],
  ])('at position %s is the one before the next event', (position, transactionCount) => {
    expect(heldAt(lines, position)).toEqual(earned(transactionCount));
  });

  it('after the last entry is the current one', () => {
    expect(heldAt(lines, 2n ** 64n - 1n)).toBeNull();
    expect(heldAt('', 0n)).toBeNull();
  });

  it('differs if any of its fields differs', () => {
    const before = earned(1);
    expect(isSameStanding(before, { ...before, lastActive: new Date(before.lastActive) })).toBe(true);
    for (const change of [
      { transactionCount: 2 },
      { reviewCount: 1 },
      { successCount: 1 },
      { lastActive: new Date(5) },
      { lastTransactionAt: null },
      { liveness: null },
    ]) {
      expect(isSameStanding(before, { ...before, ...change })).toBe(false);
    }
  });
});
