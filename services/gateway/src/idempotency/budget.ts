import type { NatsConnection } from '@nats-io/transport-node';
import { createRateLimiter } from '../rate-limit/rate-limiter.ts';
import { idempotencyLimits as limits } from './limits.ts';

/** How many new keys an organisation's credentials may take up in 24 hours, its agents' and both universes' together. */
type Budget = {
  /**
   * Counts a new entry.
   *
   * @throws DomainError rate_limited (with Retry-After), unavailable, overloaded.
   */
  take(orgId: string, entryName: string): Promise<void>;
};

/**
 * Counted in parts, by the entry's name, so that requests that come at once seldom race for one count. A part can be full a little before
 * the whole.
 */
export function createBudget(connection: NatsConnection, now: () => number): Budget {
  const window = { countMax: limits.budgetPartMax, windowMs: limits.lifetimeMs };
  const bucket = { name: 'idempotency_budgets', bytesMax: limits.budgetBucketBytesMax };
  const limiter = createRateLimiter(connection, window, now, bucket);
  return {
    take: (orgId, entryName) => {
      const part = Number.parseInt(entryName.slice(0, 8), 16) % limits.budgetParts;
      return limiter.take(`keys of ${orgId}, part ${part}`);
    },
  };
}
