import type { AgentIdentity } from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { agentOfBearer } from '../../http/caller/credentials.ts';
import type { Gateway } from '../../gateway.ts';
import { edgeLimits } from '../../limits.ts';
import { clientOf } from '../../rate-limit/client-address.ts';

/** What a call holds before its body is read: a place among the calls of its agent, or one among those of whom nobody knows yet. */
export type EarlyPlace = { agentId: string | null; release: () => void };

const holdUntilAnswered = (reply: FastifyReply, release: () => void): void => {
  if (reply.raw.destroyed) release();
  else reply.raw.once('close', release);
};

/**
 * Lets the body of a call be read. A short one costs little and comes in at once. For a long one somebody has to answer: the agent whose
 * key the request carries gives one of its places; who carries none, or signs what is not read yet, takes one of a few that all
 * such clients share, and a client's address only some of those. So nobody without a key keeps out those who have one.
 *
 * What is wrong with the credential is told after the body: its shape is looked at first.
 *
 * @throws HttpRefusal too_many_calls; DomainError overloaded, unavailable.
 */
export async function admitCall(request: FastifyRequest, reply: FastifyReply, gateway: Gateway): Promise<void> {
  const declared = Number(request.headers['content-length'] ?? Number.NaN);
  if (declared <= edgeLimits.shortCallBytesMax) return;
  const { authorization } = request.headers;
  const agent = authorization === undefined ? null : await agentOfBearer(gateway, request, authorization);
  const release = agent === null ? gateway.longBodies.take(clientOf(request.ip)) : gateway.callPlaces.take(agent);
  request.earlyPlace = { agentId: agent?.agentId ?? null, release };
  holdUntilAnswered(reply, release);
}

/**
 * Takes a place for the call of an agent until it is answered. The caller was identified again: its key may have been replaced while its
 * body came.
 *
 * @throws DomainError overloaded; HttpRefusal too_many_calls.
 */
export function takeCallPlace(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: AgentIdentity,
): void {
  const early = request.earlyPlace;
  if (early?.agentId === caller.agentId) return;
  early?.release();
  holdUntilAnswered(reply, gateway.callPlaces.take(caller));
}
