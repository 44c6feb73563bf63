import { pause } from './deadline.ts';

export type BackoffOptions = {
  /** Wait before the first retry, in milliseconds; above 0. */
  firstMs: number;
  longestMs: number;
  /** Factor between one wait and the next; 2 by default. */
  factor?: number;
  /** Largest share of a wait, from 0 to 1, that is subtracted at random, so that clients do not retry together; 0.5 by default. */
  jitter?: number;
  /** From 0 to 1. */
  random?: () => number;
};

/** Milliseconds to wait before a retry, after a number of `retries` made before. */
export function backoffMs(
  retries: number,
  { firstMs, longestMs, factor = 2, jitter = 0.5, random = Math.random }: BackoffOptions,
): number {
  return Math.min(longestMs, firstMs * factor ** retries) * (1 - jitter * random());
}

export type RetryOptions = {
  backoff: BackoffOptions;
  /** For all attempts and the waits between them. */
  timeoutMs: number;
  mayRetry: (error: unknown) => boolean;
  /** Milliseconds of any clock; `performance.now` by default. */
  now?: () => number;
};

/** Repeats `work`, which gets the milliseconds that are left (at least 1), until it succeeds, fails for good, or the next attempt would be too late. */
export async function retry<Result>(
  work: (leftMs: number) => Promise<Result>,
  { backoff, timeoutMs, mayRetry, now = () => performance.now() }: RetryOptions,
): Promise<Result> {
  const endAt = now() + timeoutMs;
  for (let retries = 0; ; retries += 1) {
    try {
      return await work(Math.max(1, endAt - now()));
    } catch (error) {
      const waitMs = backoffMs(retries, backoff);
      if (!mayRetry(error) || now() + waitMs >= endAt) throw error;
      await pause(waitMs);
    }
  }
}
