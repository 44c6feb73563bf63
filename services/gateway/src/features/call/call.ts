import { callRoute, type AgentIdentity, DomainError } from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Holder } from '../../concurrency/caller-limiter.ts';
import type { Gateway } from '../../gateway.ts';
import { agentOfBearer } from '../../http/caller/credentials.ts';
import { holderOfAgent } from '../../http/caller/caller.ts';
import { clientGone } from '../../http/client-gone.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { scopeOfCaller } from '../../idempotency/credential-scope.ts';
import { idempotently } from '../../idempotency/idempotently.ts';
import { edgeLimits } from '../../limits.ts';
import { countedIfDone } from '../../quota/counted.ts';
import { clientOf } from '../../rate-limit/client-address.ts';
import { answerEvents } from './answer-events.ts';
import { answerWhole } from './answer-whole.ts';
import { exchangeOf, failedCall } from './failed-call.ts';
import { parseCallBody, callMsMax, openCall } from './open-call.ts';

export const call: Endpoint = endpoint(
  callRoute,
  async ({ body, caller, actor, request, reply }, gateway) => {
    const { agent } = caller;
    const release = acquireCall(gateway, request, reply, agent);
    const parties = { callerAgentId: body.caller_agent_id, agentId: body.agent_id };
    const scope = scopeOfCaller(caller, agent.agentId);
    // The answer is text that is already JSON.
    reply.type('application/json; charset=utf-8');
    return idempotently(
      gateway,
      { request, reply },
      scope,
      async ({ commandId, earlierCommandId }, written) => {
        // An answer that is sent again counts once.
        const admitted = await gateway.quotas.take(request, holderOfAgent(agent), 'calls');
        try {
          return await countedIfDone(admitted, async () => {
            // The proxy looks for the target first and checks the caller afterwards: an unknown target is 404 for every caller.
            const ids = { commandId, earlierCommandId };
            const opened = await openCall(gateway, request, agent, actor, body, { ...ids, signal: clientGone(reply) });
            written();
            if (!opened.head.streaming) return await answerWhole(gateway, reply, { ...parties, caller: agent }, opened);
            // Streams of agents of organisations never give way: those answer for their agents.
            const isYielding = agent.orgId === null;
            await answerEvents(gateway, reply, parties, opened, isYielding ? release : null);
            return reply;
          });
        } catch (error) {
          // Then the agent may have been contacted.
          if (exchangeOf(error) !== null) written();
          throw await failedCall(gateway, parties, error);
        }
      },
      { extraLeaseMs: callMsMax(gateway) },
    );
  },
  { parsesBody: parseCallBody, admit: admitCall },
);

/** What a call counts towards before its body is read: the calls of its agent, or those of unidentified callers, by address. */
export type EarlyPermit = { holder: Holder; release: () => void };

/**
 * Decides whether the body of a call is read. A short one is cheap and is read at once. A long one counts towards the calls of the agent
 * whose key the request has. Without a valid key, or for a signed request, it counts towards a small limit that such clients share, each
 * address a part of it, so that they cannot block those with a key. A wrong credential is reported after the body has been checked.
 * @throws HttpRefusal too_many_calls; DomainError overloaded, unavailable.
 */
async function admitCall(request: FastifyRequest, reply: FastifyReply, gateway: Gateway): Promise<void> {
  const declared = Number(request.headers['content-length'] ?? Number.NaN);
  if (declared <= edgeLimits.shortBodyBytesMax) return;
  const { authorization } = request.headers;
  const agent = authorization === undefined ? null : await agentOfBearer(gateway, request, authorization);
  const address = clientOf(request.ip);
  const release = agent === null ? gateway.longBodyLimiter.acquire(address) : acquirePlace(gateway, request, agent);
  request.earlyPermit = { holder: agent ?? { address }, release };
  holdUntilAnswered(reply, release);
}

/**
 * Counts the call of an agent as running until it is answered. The agent may differ from the early one: its key may have been replaced
 * while its body arrived. @throws DomainError overloaded; HttpRefusal too_many_calls.
 */
function acquireCall(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: AgentIdentity,
): () => void {
  const early = request.earlyPermit;
  if (early !== null && 'agentId' in early.holder && early.holder.agentId === caller.agentId) return early.release;
  early?.release();
  request.heldBody?.moveTo(caller);
  const release = acquirePlace(gateway, request, caller);
  holdUntilAnswered(reply, release);
  return release;
}

/** A place for a call; if there is none, that of a stream that has been slow for too long. */
const acquirePlace = (
  { callLimiter, yieldingStreams }: Gateway,
  request: FastifyRequest,
  caller: AgentIdentity,
): (() => void) => {
  const holder = { ...caller, clientAddress: clientOf(request.ip) };
  try {
    return callLimiter.acquire(holder);
  } catch (error) {
    const isFull = error instanceof DomainError && error.code === 'overloaded';
    if (!isFull || !yieldingStreams.makePlace()) throw error;
    return callLimiter.acquire(holder);
  }
};

const holdUntilAnswered = (reply: FastifyReply, release: () => void): void => {
  if (reply.raw.destroyed) release();
  else reply.raw.once('close', release);
};
