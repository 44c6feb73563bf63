import type { AgentIdentity } from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import { agentOfBearer } from '../../http/caller/credentials.ts';
import { edgeLimits } from '../../limits.ts';
import { clientOf } from '../../rate-limit/client-address.ts';

/** What a call counts towards before its body is read: the calls of its agent, or those of unidentified callers (null). */
export type EarlyPermit = { agentId: string | null; release: () => void };

/**
 * Decides whether the body of a call is read. A short one costs little and is read at once. A long one counts towards the calls of the
 * agent whose key the request carries. Without a valid key, or for a signed request, it counts towards a small limit that all such clients
 * share, and each address has a part of. So no client without a key can block those that have one.
 *
 * A wrong credential is reported after the body has been checked.
 *
 * @throws HttpRefusal too_many_calls; DomainError overloaded, unavailable.
 */
export async function admitCall(request: FastifyRequest, reply: FastifyReply, gateway: Gateway): Promise<void> {
  const declared = Number(request.headers['content-length'] ?? Number.NaN);
  if (declared <= edgeLimits.shortCallBytesMax) return;
  const { authorization } = request.headers;
  const agent = authorization === undefined ? null : await agentOfBearer(gateway, request, authorization);
  const release =
    agent === null ? gateway.longBodyLimiter.acquire(clientOf(request.ip)) : gateway.callLimiter.acquire(agent);
  request.earlyPermit = { agentId: agent?.agentId ?? null, release };
  holdUntilAnswered(reply, release);
}

/**
 * Counts the call of an agent as running until it is answered. The caller was identified again, because its key may have been replaced
 * while its body arrived.
 *
 * @throws DomainError overloaded; HttpRefusal too_many_calls.
 */
export function acquireCall(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: AgentIdentity,
): void {
  const early = request.earlyPermit;
  if (early?.agentId === caller.agentId) return;
  early?.release();
  holdUntilAnswered(reply, gateway.callLimiter.acquire(caller));
}

const holdUntilAnswered = (reply: FastifyReply, release: () => void): void => {
  if (reply.raw.destroyed) release();
  else reply.raw.once('close', release);
};
