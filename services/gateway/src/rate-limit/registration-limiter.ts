import { DomainError } from '@agent-trust/contracts';
import type { JetStreamBus } from '../bus/key-values.ts';
import { edgeLimits } from '../limits.ts';
import { createLocalWindow } from './local-window.ts';
import { createRateLimiter, minuteCounts, type RateLimiter } from './rate-limiter.ts';

/**
 * How often one client address may register agents without a credential, at all gateways together; as often as it likes if `countMax` is 0. It keeps a
 * registry from filling up, and guards no secret: so while JetStream does not answer, each gateway counts on its own.
 */
export function createRegistrationLimiter(
  bus: JetStreamBus,
  countMax: number,
  now: () => number = Date.now,
): RateLimiter {
  if (countMax === 0) return { take: () => Promise.resolve() };
  const window = { countMax, windowMs: 60_000 };
  // Of their own: whoever has many addresses could fill the bucket of limits that must not open.
  const shared = createRateLimiter(bus, window, now, { ...minuteCounts, name: 'registration_counts' });
  const own = createLocalWindow(window, edgeLimits.registeringAddressesMax, now);
  /** The last request of an address that is being counted: several at once would race each other for the one count. */
  const turns = new Map<string, Promise<void>>();
  return {
    take: async (bucket) => {
      const giveBack = own.take(bucket);
      const count = (): Promise<void> => shared.take(bucket);
      const turn = (turns.get(bucket) ?? Promise.resolve()).then(count, count);
      turns.set(bucket, turn);
      try {
        await turn;
      } catch (error) {
        if (error instanceof DomainError && error.code === 'unavailable') return;
        giveBack();
        throw error;
      } finally {
        if (turns.get(bucket) === turn) turns.delete(bucket);
      }
    },
  };
}
