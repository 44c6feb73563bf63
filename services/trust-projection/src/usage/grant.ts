import { usageLimits } from './limits.ts';

/** Where an organisation is in a day: `leased` is what gateways may still use up without asking. */
export type DayState = { limit: number; used: number; leased: number };

/**
 * How many requests a gateway may admit without asking again. What is used and all that is leased never exceed the limit; 0 is no limit. A gateway gets what its
 * waiting requests need, or a share of what remains, so that others find something to lease.
 *
 * @param wanted requests that wait at that gateway, at least 1
 */
export function grantOf({ limit, used, leased }: DayState, wanted: number): number {
  if (limit === 0) return wanted;
  const remaining = Math.max(0, limit - used - leased);
  const share = Math.min(usageLimits.leaseMax, Math.floor(remaining / usageLimits.leaseShareOf));
  return Math.min(remaining, Math.max(wanted, share));
}
