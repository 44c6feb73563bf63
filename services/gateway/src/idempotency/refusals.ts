import { DomainError, faultAt } from '@agent-trust/contracts';
import { HttpRefusal } from '../http/refusal.ts';
import { idempotencyLimits as limits } from './limits.ts';

/** A key that cannot be looked up is no key: without it the request might be carried out twice. */
export function asUnavailable(error: unknown): never {
  throw new DomainError('unavailable', 'the Idempotency-Key cannot be checked now; try again', { cause: error });
}

export function reused(): DomainError {
  return faultAt(
    'idempotency_key_reused',
    ['header', 'idempotency-key'],
    'was sent with another body before; use a new key for another request',
  );
}

export function inUse(): HttpRefusal {
  return new HttpRefusal(
    new DomainError(
      'idempotency_key_in_use',
      'the request that this key was sent with first is still being carried out',
    ),
    { headers: { 'retry-after': String(limits.retryAfterSeconds) } },
  );
}
