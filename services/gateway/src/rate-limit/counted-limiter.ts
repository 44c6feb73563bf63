import { DomainError } from '@agent-trust/contracts';
import { type AttributesOf, counter } from '@agent-trust/metrics';
import type { RateLimiter } from './rate-limiter.ts';

const refusals = counter('registry.rate_limit.refusals');

/** The same limiter, whose refusals are counted under a name. */
export function countedLimiter(
  name: AttributesOf<'registry.rate_limit.refusals'>['registry.limit'],
  limiter: RateLimiter,
): RateLimiter {
  const refused = refusals.with({ 'registry.limit': name });
  return {
    take: async (bucket) => {
      try {
        await limiter.take(bucket);
      } catch (error) {
        if (error instanceof DomainError && error.code === 'rate_limited') refused.add();
        throw error;
      }
    },
  };
}
