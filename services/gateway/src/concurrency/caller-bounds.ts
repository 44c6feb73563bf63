import { edgeLimits } from '../limits.ts';
import type { CallerBounds } from './caller-limiter.ts';

/** @param perAgentMax CALLS_PER_CALLER_MAX. */
export function callBounds(perAgentMax: number): CallerBounds {
  return {
    what: 'calls',
    perAgentMax,
    perOrgMax: edgeLimits.callsAtOncePerOrgMax,
    withoutOrgMax: edgeLimits.callsAtOnceWithoutOrgMax,
    // Nobody calls without a key or a signature.
    perAddressMax: 0,
    withoutKeyMax: 0,
    allMax: edgeLimits.callsAtOnceMax,
  };
}

export const paymentBounds: CallerBounds = {
  what: 'payments',
  perAgentMax: edgeLimits.paymentsAtOncePerPayerMax,
  perOrgMax: edgeLimits.paymentsAtOncePerOrgMax,
  withoutOrgMax: edgeLimits.paymentsAtOnceWithoutOrgMax,
  perAddressMax: edgeLimits.paymentsAtOncePerAddressMax,
  withoutKeyMax: edgeLimits.paymentsAtOnceWithoutKeyMax,
  allMax: edgeLimits.paymentsAtOnceMax,
};

/** Bodies of payments that come while the payment has its place: whoever sends them slowly holds few of the places that others share. */
export const uploadBounds: CallerBounds = {
  what: 'long bodies',
  perAgentMax: edgeLimits.uploadsAtOncePerPayerMax,
  perOrgMax: edgeLimits.uploadsAtOncePerOrgMax,
  withoutOrgMax: edgeLimits.uploadsAtOnceWithoutOrgMax,
  perAddressMax: edgeLimits.uploadsAtOncePerPayerMax,
  withoutKeyMax: edgeLimits.uploadsAtOnceWithoutKeyMax,
  allMax: edgeLimits.uploadsAtOnceMax,
};
