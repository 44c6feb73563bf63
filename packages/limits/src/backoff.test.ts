import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

const options = { firstMs: 50, longestMs: 5_000, jitter: 0 };

describe('backoffMs', () => {
  it('doubles up to the longest', () => {
    expect([0, 1, 2, 6, 7, 8, 10_000].map((retries) => backoffMs(retries, options))).toEqual([
      50, 100, 200, 3_200, 5_000, 5_000, 5_000,
    ]);
    expect(backoffMs(2, { ...options, factor: 3 })).toBe(450);
  });

  it('subtracts at most the share of the jitter, and never adds to a wait', () => {
    fc.assert(
      fc.property(
        fc.nat(2_000),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (retries, jitter, drawn) => {
          const whole = backoffMs(retries, options);
          const waitMs = backoffMs(retries, { ...options, jitter, random: () => drawn });
          expect(waitMs).toBeLessThanOrEqual(whole);
          expect(waitMs).toBeGreaterThanOrEqual(whole * (1 - jitter));
          expect(whole).toBeLessThanOrEqual(backoffMs(retries + 1, options));
        },
      ),
    );
  });

  it('spreads half of the wait by default', () => {
    const waits = Array.from({ length: 1_000 }, () => backoffMs(0, { firstMs: 50, longestMs: 5_000 }));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(25);
    expect(Math.max(...waits)).toBeLessThanOrEqual(50);
    expect(new Set(waits).size).toBeGreaterThan(900);
  });
});
