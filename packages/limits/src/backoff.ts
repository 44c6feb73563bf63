export type BackoffOptions = {
  /** Wait before the first retry, in milliseconds; above 0. */
  firstMs: number;
  longestMs: number;
  /** How many times as long each wait is as the one before; 2 by default. */
  factor?: number;
  /** Largest part of a wait that is taken off at random, from 0 to 1, so that clients which failed together do not return together; 0.5 by default. */
  jitter?: number;
  /** From 0 to 1. */
  random?: () => number;
};

/**
 * Milliseconds to wait before a retry.
 *
 * @param retries how many retries have been made before.
 */
export function backoffMs(
  retries: number,
  { firstMs, longestMs, factor = 2, jitter = 0.5, random = Math.random }: BackoffOptions,
): number {
  return Math.min(longestMs, firstMs * factor ** retries) * (1 - jitter * random());
}
