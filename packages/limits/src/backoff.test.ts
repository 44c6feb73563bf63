import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backoffMs, retry } from './backoff.ts';

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

describe('retry', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Runs work that fails with each of `errors` in turn, then succeeds. Returns the outcome and the time left at each attempt. */
  const attempts = async (errors: string[], timeoutMs = 1_000) => {
    const left: number[] = [];
    const work = async (leftMs: number): Promise<string> => {
      const error = errors[left.push(leftMs) - 1];
      if (error !== undefined) throw new Error(error);
      return 'done';
    };
    const mayRetry = (error: unknown): boolean => (error as Error).message !== 'final';
    const backoff = { firstMs: 100, longestMs: 300, jitter: 0 };
    const result = retry(work, { backoff, timeoutMs, mayRetry }).catch((error: unknown) => (error as Error).message);
    await vi.advanceTimersByTimeAsync(10_000);
    return { result: await result, left };
  };

  it('repeats the work after growing waits, within one timeout', async () => {
    expect(await attempts([])).toEqual({ result: 'done', left: [1_000] });
    expect(await attempts(['a', 'b', 'c'])).toEqual({ result: 'done', left: [1_000, 900, 700, 400] });
  });

  it('ends with the last failure if the timeout leaves no time for another attempt', async () => {
    expect(await attempts(['a', 'b', 'c', 'd'])).toEqual({ result: 'done', left: [1_000, 900, 700, 400, 100] });
    expect(await attempts(['a', 'b', 'c'], 600)).toEqual({ result: 'c', left: [600, 500, 300] });
    expect(await attempts(['a'], 0)).toEqual({ result: 'a', left: [1] });
  });

  it('does not repeat a failure that is final', async () => {
    expect(await attempts(['a', 'final'])).toEqual({ result: 'final', left: [1_000, 900] });
  });
});
