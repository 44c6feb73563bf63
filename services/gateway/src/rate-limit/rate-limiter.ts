import { hash } from 'node:crypto';
import { DomainError } from '@agent-trust/contracts';
import { pause } from '@agent-trust/limits';
import { StorageType } from '@nats-io/jetstream';
import { type BucketConfig, createKeyValues, type JetStreamBus } from '../bus/key-values.ts';
import { HttpRefusal } from '../http/error-answer.ts';
import { edgeLimits } from '../limits.ts';

export type RateLimiter = {
  /**
   * Counts one request against a bucket. @throws DomainError rate_limited (with Retry-After), overloaded, unavailable: without its store
   * the limit must not open.
   */
  take(bucket: string): Promise<void>;
};

/** Where requests of the last minute are counted. In memory: a server that was restarted has another one. */
export const minuteCounts: BucketConfig = {
  name: 'rate_limits',
  bytesMax: edgeLimits.rateLimitBucketBytesMax,
  storage: StorageType.Memory,
  ttlMs: 120_000,
  timeoutMs: edgeLimits.rateLimitTimeoutMs,
};

/**
 * A limit that holds across all gateways: each bucket is one entry of a JetStream key-value store, changed by compare-and-set. A lost
 * race means that another request was admitted, so after a few of them the bucket is full and the race is over.
 *
 * @param counts Where counts are stored, for at least the window. All entries of a store have one lifetime.
 */
export function createRateLimiter(
  bus: JetStreamBus,
  window: Window,
  now: () => number = Date.now,
  counts: BucketConfig = minuteCounts,
): RateLimiter {
  const store = createKeyValues(bus, counts);
  /** False if another request was faster. */
  const attempt = async (key: string): Promise<boolean> => {
    const entry = await store.use((kv) => kv.get(key));
    const admission = admit(window, entry === null ? [] : decode(entry.json()), now());
    if (!admission.admitted) throw tooMany(window, admission.retryAfterMs);
    return (await store.swap(key, JSON.stringify(admission.admittedAt), entry?.revision ?? 0)) !== null;
  };
  return {
    take: async (bucket) => {
      // Addresses and agent ids contain characters that keys must not.
      const key = hash('sha256', bucket, 'hex');
      let hasFailed = false;
      for (let attempts = 1; attempts <= edgeLimits.rateLimitAttemptsMax; attempts += 1) {
        try {
          if (await attempt(key)) return;
          await pause(Math.random() * 2 * attempts);
        } catch (error) {
          if (error instanceof DomainError) throw error;
          if (hasFailed) throw new DomainError('unavailable', 'the rate limit cannot be checked now', { cause: error });
          // One lost answer of the store must not refuse a request.
          hasFailed = true;
        }
      }
      throw new DomainError('overloaded', 'too many requests race for the same rate limit', { limitedBy: 'caller' });
    },
  };
}

const decode = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((item): item is number => typeof item === 'number') : [];

export function tooMany(window: Window, retryAfterMs: number): HttpRefusal {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  const refusal = new DomainError(
    'rate_limited',
    `at most ${window.countMax} requests in ${window.windowMs / 1_000} seconds; try again in ${seconds} s`,
  );
  return new HttpRefusal(refusal, { headers: { 'retry-after': String(seconds) } });
}

/** At most `countMax` admissions in any `windowMs` milliseconds. */
export type Window = { readonly countMax: number; readonly windowMs: number };

type Admission = { admitted: true; admittedAt: readonly number[] } | { admitted: false; retryAfterMs: number };

/**
 * Decides on one request, given the times of earlier admissions (ascending). A log of admissions: a counter of fixed minutes would let
 * twice as many through around the turn of a minute. Refused requests are not logged, so waiting always helps.
 */
export function admit(window: Window, admittedAt: readonly number[], now: number): Admission {
  // Instances' clocks differ a little; time must not run backwards within one log.
  const at = Math.max(now, admittedAt.at(-1) ?? 0);
  const recent = admittedAt.filter((earlier) => at - earlier <= window.windowMs);
  if (recent.length < window.countMax) return { admitted: true, admittedAt: [...recent, at] };
  const oldest = recent[recent.length - window.countMax] ?? at;
  return { admitted: false, retryAfterMs: oldest + window.windowMs + 1 - now };
}
