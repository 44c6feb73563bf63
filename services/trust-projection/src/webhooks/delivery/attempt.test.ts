import { describe, expect, it } from 'vitest';
import { webhookLimits } from '../limits.ts';
import { readRetryAfter, retryDelayMs } from './attempt.ts';

const settings = { retryFirstMs: 1_000, retryLongestMs: 60_000 };

describe('the wait before another attempt', () => {
  it('grows with the attempts, up to the maximum', () => {
    expect([1, 2, 3, 4, 100].map((attempts) => retryDelayMs(attempts, settings, 0, null))).toEqual([
      1_000, 4_000, 16_000, 60_000, 60_000,
    ]);
  });

  it('is randomly shorter, by half at most', () => {
    expect(retryDelayMs(1, settings, 0.5, null)).toBe(750);
    expect(retryDelayMs(1, settings, 1, null)).toBe(500);
  });

  it("is as long as the consumer's Retry-After, within the limit, and never shorter because of it", () => {
    expect(retryDelayMs(1, settings, 0, 5_000)).toBe(5_000);
    expect(retryDelayMs(1, settings, 0, 1)).toBe(1_000);
    expect(retryDelayMs(1, settings, 0, 10 * webhookLimits.retryAfterMsMax)).toBe(webhookLimits.retryAfterMsMax);
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  it('is parsed as seconds and as a date', () => {
    expect(readRetryAfter('7', now)).toBe(7_000);
    expect(readRetryAfter('Thu, 01 Jan 2026 00:00:30 GMT', now)).toBe(30_000);
    expect(readRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
  });

  it.each([undefined, '', 'soon', '-5', '99999999999999999999'])('is ignored if it is %s', (value) => {
    expect(readRetryAfter(value, now) ?? 0).toBeLessThanOrEqual(0);
  });
});
