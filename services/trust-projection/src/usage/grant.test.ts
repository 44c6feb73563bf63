/** Bug: a lease exceeds what remains, or one gateway gets all of it and the others refuse although the limit is not reached. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { grantOf } from './grant.ts';
import { usageLimits } from './limits.ts';

it('is never more than what remains, and never nothing if something does', () => {
  const count = fc.nat(1_000_000);
  fc.assert(
    fc.property(count, count, count, fc.integer({ min: 1, max: 1_000 }), (limit, used, leased, wanted) => {
      fc.pre(limit > 0);
      const granted = grantOf({ limit, used, leased }, wanted);
      const remaining = Math.max(0, limit - used - leased);
      expect(granted).toBeLessThanOrEqual(remaining);
      expect(granted === 0).toBe(remaining === 0);
      expect(granted).toBeLessThanOrEqual(Math.max(wanted, usageLimits.leaseMax));
    }),
    { seed: 20_260_115 },
  );
});

it.each([
  [{ limit: 1_000, used: 0, leased: 0 }, 1, 100],
  [{ limit: 1_000, used: 900, leased: 50 }, 1, 5],
  [{ limit: 1_000, used: 900, leased: 50 }, 20, 20],
  [{ limit: 1_000, used: 990, leased: 5 }, 9, 5],
  [{ limit: 1_000, used: 1_200, leased: 0 }, 1, 0],
  [{ limit: 1_000_000, used: 0, leased: 0 }, 1, usageLimits.leaseMax],
  [{ limit: 0, used: 5_000, leased: 0 }, 3, 3],
])('of %j to %i waiting requests is %i', (state, wanted, granted) => {
  expect(grantOf(state, wanted)).toBe(granted);
});
