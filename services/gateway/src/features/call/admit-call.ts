import type { AgentIdentity } from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { agentOfBearer } from '../../http/caller/credentials.ts';
import type { Gateway } from '../../gateway.ts';
import { edgeLimits } from '../../limits.ts';
import { clientOf } from '../../rate-limit/client-address.ts';

/** What a call counts towards before its body is read: the calls of its agent, or those whose caller is not known yet (null). */
export type EarlyPermit = { agentId: string | null; release: () => void };

const holdUntilAnswered = (reply: FastifyReply, release: () => void): void => {
  if (reply.raw.destroyed) release();
  else reply.raw.once('close', release);
};

/**
 * Decides whether the body of a call is read. A short one costs little and is read at once. A long one counts towards the calls of the
 * agent whose key the request carries. Without a valid key, or for a request that is signed, it counts towards a small limit that all
 * such clients share, and each address has a part of. So nobody without a key keeps out those who have one.
 *
 * A fault of the credential is reported after the body has been checked.
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
 * Counts the call of an agent as under way until it is answered. The caller was identified again, because its key may have been replaced
 * while its body came.
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
