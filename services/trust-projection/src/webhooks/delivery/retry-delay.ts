import { backoffMs } from '@agent-trust/limits';
import { webhookLimits } from '../limits.ts';

export type RetrySettings = { retryFirstMs: number; retryLongestMs: number };

/**
 * Milliseconds from a failed attempt to the next: exponential, less up to half of it at random, so that messages that failed together do not
 * return together. A consumer that names a longer time gets it, within a limit.
 *
 * @param attempts that have failed, this one included
 * @param random 0 to 1
 */
export function retryDelayMs(
  attempts: number,
  { retryFirstMs, retryLongestMs }: RetrySettings,
  random: number,
  retryAfterMs: number | null,
): number {
  const backoff = backoffMs(attempts - 1, {
    firstMs: retryFirstMs,
    longestMs: retryLongestMs,
    factor: webhookLimits.retryFactor,
    random: () => random,
  });
  const asked = Math.min(retryAfterMs ?? 0, webhookLimits.retryAfterMsMax);
  return Math.ceil(Math.max(backoff, asked));
}

/** Retry-After (RFC 9110 §10.2.3), seconds or a date, in milliseconds from now; null where it is neither. */
export function readRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/u.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
