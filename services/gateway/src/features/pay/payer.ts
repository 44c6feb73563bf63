import { type AgentIdentity, DomainError, holdsRegistryKey } from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { byBearer } from '../../http/caller/authenticate.ts';
import { sameSecret } from '../../credentials/hash.ts';
import type { Gateway } from '../../gateway.ts';

/**
 * The agent whose key a payment carries, or null. Authorization may also hold what the paid agent itself asks for: that is passed on to it
 * unread, so only what is the registry's own is judged here.
 *
 * @throws DomainError invalid_credential; unavailable.
 */
export async function payerOf(gateway: Gateway, request: FastifyRequest): Promise<AgentIdentity | null> {
  const { authorization } = request.headers;
  if (authorization === undefined) return null;
  if (holdsRegistryKey(authorization)) {
    const caller = await byBearer(gateway, request, authorization, ['agent']);
    return caller.kind === 'agent' ? caller.agent : null;
  }
  const token = authorization.replace(/^Bearer +/iu, '').trim();
  if (sameSecret(token, gateway.settings.ADMIN_TOKEN) || sameSecret(token, gateway.settings.ADMIN_KEY)) {
    throw new DomainError('invalid_credential', "the operator's credential pays nothing, and is not passed on");
  }
  return null;
}
