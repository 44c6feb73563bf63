import { type Universe, production } from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import { authenticate } from './authenticate.ts';

/** The universe that a reader looks at: an org sandbox key opens that sandbox, anybody else sees production. */
export async function scopeOf(
  gateway: Gateway,
  request: FastifyRequest,
  operation: 'verify' | 'match' | 'listRegistry' | 'getAgent' | 'explainTrust' | 'getTrustHistory' | 'getReviewReceipt',
): Promise<Universe> {
  if (request.headers['x-api-key'] === undefined) return production;
  const caller = await authenticate(gateway, request, operation);
  return caller.kind === 'organisation' ? caller.organisation.universe : production;
}
