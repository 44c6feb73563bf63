import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '@agent-trust/contracts';
import { StorageType } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { createKeyValues, isLostRace } from '../bus/key-values.ts';

import { HttpRefusal } from '../http/refusal.ts';
import { edgeLimits } from '../limits.ts';
import { type Window, admit } from './sliding-window.ts';

export type RateLimiter = {
  /**
   * Counts one request against a bucket.
   *
   * @throws DomainError rate_limited (with Retry-After), unavailable when the count cannot be kept: a limit that opens when its
   *   store is down is none.
   */
  take(bucket: string): Promise<void>;
};

/**
 * A limit that holds across all gateways: each bucket is one entry of a JetStream key-value store, changed by compare-and-set. A lost
 * race means that another request was admitted, so after a few of them the bucket is full and the race is over.
 *
 * @param bucket Where counts are kept: limits over windows of different lengths cannot share one, which has one lifetime for all.
 */
export function createRateLimiter(
  connection: NatsConnection,
  window: Window,
  now: () => number = Date.now,
  bucket: { name: string; bytesMax: number } = { name: 'rate_limits', bytesMax: edgeLimits.rateLimitBucketBytesMax },
): RateLimiter {
  const store = createKeyValues(connection, {
    ...bucket,
    storage: StorageType.Memory,
    ttlMs: window.windowMs * 2,
    timeoutMs: edgeLimits.rateLimitTimeoutMs,
  });

  /** One attempt at read and compare-and-set; null when another request came between. */
  const attempt = async (key: string): Promise<{ retryAfterMs: number } | 'admitted' | null> => {
    const kv = await store.open();
    const entry = await kv.get(key);
    const admission = admit(window, entry === null ? [] : decode(entry.json()), now());
    if (!admission.admitted) return admission;
    try {
      await kv.put(key, JSON.stringify(admission.admittedAt), { previousSeq: entry?.revision ?? 0 });
      return 'admitted';
    } catch (error) {
      if (isLostRace(error)) return null;
      throw error;
    }
  };

  return {
    take: async (bucket) => {
      // Addresses and agent ids hold what keys may not.
      const key = hash('sha256', bucket, 'hex');
      let reopened = false;
      for (let attempts = 1; attempts <= edgeLimits.rateLimitAttemptsMax; attempts += 1) {
        try {
          const outcome = await attempt(key);
          if (outcome === 'admitted') return;
          if (outcome !== null) throw tooMany(window, outcome.retryAfterMs);
          await delay(Math.random() * 2 * attempts);
        } catch (error) {
          if (error instanceof DomainError) throw error;
          store.forget();
          // The store is in memory: a NATS server that was restarted has lost it, and it is made again.
          if (reopened) throw new DomainError('unavailable', 'the rate limit cannot be checked now', { cause: error });
          reopened = true;
        }
      }
      throw new DomainError('overloaded', 'too many requests race for the same rate limit');
    },
  };
}

const decode = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((item): item is number => typeof item === 'number') : [];

/** The refusal of one request too many, with Retry-After. */
export function tooMany(window: Window, retryAfterMs: number): HttpRefusal {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  const refusal = new DomainError(
    'rate_limited',
    `at most ${window.countMax} requests in ${window.windowMs / 1_000} seconds; try again in ${seconds} s`,
  );
  return new HttpRefusal(refusal, { headers: { 'retry-after': String(seconds) } });
}
