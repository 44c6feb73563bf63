import { limits } from '@agent-trust/contracts';
import { edgeLimits } from '../limits.ts';

/** Bounds of what is stored for repeated requests. */
export const idempotencyLimits = {
  lifetimeMs: limits.idempotencyLifetimeMs,
  /** One sealed entry. A longer answer is not kept: a repeated request is then carried out again, to the same effect. */
  entryBytesMax: 16 * 1024,
  /**
   * All entries. A full bucket refuses requests with a key. Anonymous callers and agents without an organisation, of which anybody can
   * register many, have a bucket of their own, so that they cannot fill the other one.
   */
  bucketBytesMax: 256 * 1024 * 1024,
  unaffiliatedBucketBytesMax: 128 * 1024 * 1024,
  /** New entries of one organisation in 24 hours: together with the bytes of one, a quarter of the bucket. */
  budgetParts: 16,
  budgetPartMax: 256,
  budgetBucketBytesMax: 16 * 1024 * 1024,
  /** The part of a lease for work between the waits. */
  leaseMarginMs: 2_000,
  /** How long a repeated request waits for the first one before it is refused, and how often it checks. */
  waitMs: 10_000,
  pollMinMs: 20,
  pollMaxMs: 250,
  waitersMax: 256,
  retryAfterSeconds: 1,
  storeTimeoutMs: 2_000,
  /** Attempts to take an entry that another gateway makes under another REGISTRY_SECRET at the same time. */
  placesTriedMax: 5,
} as const;

/**
 * Milliseconds for which a gateway that carries out a request counts as alive: the longest time of a request. With a shorter lease a
 * repetition would run beside its first request.
 */
export function leaseMsOf(readModelWaitMs: number): number {
  // Lookups before the command; the command; the read after it; keeping the answer, with a second, shorter attempt.
  return (
    edgeLimits.queryTimeoutMs +
    idempotencyLimits.storeTimeoutMs +
    edgeLimits.commandTimeoutMs +
    readModelWaitMs +
    edgeLimits.readModelMarginMs +
    2 * idempotencyLimits.storeTimeoutMs +
    idempotencyLimits.leaseMarginMs
  );
}
