export type BackoffOptions = {
  /** Wait before the first retry, in milliseconds; above 0. */
  firstMs: number;
  longestMs: number;
  /** Factor between one wait and the next; 2 by default. */
  factor?: number;
  /**
   * Largest share of a wait, from 0 to 1, that is subtracted at random, so that clients that failed together do not retry together; 0.5 by default.
   */
  jitter?: number;
  /** From 0 to 1. */
  random?: () => number;
};

/**
 * Milliseconds to wait before a retry.
 *
 * @param retries number of retries made before.
 */
export function backoffMs(
  retries: number,
  { firstMs, longestMs, factor = 2, jitter = 0.5, random = Math.random }: BackoffOptions,
): number {
  return Math.min(longestMs, firstMs * factor ** retries) * (1 - jitter * random());
}
