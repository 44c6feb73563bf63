import { faultAt, limits } from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { notImplemented } from './later.ts';

/**
 * What a request may ask of a working route that is not built yet. It is refused, not overlooked: a client that sends an
 * Idempotency-Key relies on it, and one that asks for a past score must not get today's.
 */
export const refuseIdempotencyKey = ({ headers }: FastifyRequest): void => {
  const key = headers['idempotency-key'];
  if (key === undefined) return;
  const charsMax = limits.idempotencyKeyCharsMax;
  if (typeof key !== 'string' || key.length < 1 || key.length > charsMax) {
    throw faultAt('validation_failed', ['header', 'idempotency-key'], `must have 1 to ${charsMax} characters`);
  }
  throw notImplemented({ what: 'Idempotency-Key' });
};

/** `as_of` and `signed` on the routes that tell trust. */
export const refuseTrustParameters = ({ query }: FastifyRequest): void => {
  const given = query as Record<string, unknown>;
  for (const name of ['as_of', 'signed']) {
    if (given[name] !== undefined) throw notImplemented({ what: `the query parameter ${name}` });
  }
};
