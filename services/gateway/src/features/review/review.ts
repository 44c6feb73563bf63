import {
  type AgentIdentity,
  agentNotFound,
  DomainError,
  findUnreviewedExchange,
  getAgent,
  reviewRoute,
  submitReview,
  trustObjectToWire,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { ask, command } from '../../bus/ask.ts';
import { askAfter } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { scopeOfCaller } from '../../idempotency/credential-scope.ts';
import { idempotently } from '../../idempotency/idempotently.ts';
import type { Once } from '../../idempotency/idempotency.ts';

export const review: Endpoint = endpoint(reviewRoute, async ({ body, caller, actor, request, reply }, gateway) => {
  const { agent } = caller;
  const scope = scopeOfCaller(caller, agent.agentId);
  return idempotently(gateway, { request, reply }, scope, async (once, written) => {
    const receiver = { agentId: body.receiver_agent_id, universe: agent.universe };
    if (agent.agentId !== body.caller_agent_id) throw await mismatch(gateway, request, receiver);
    const { position } = await command(gateway, request, submitReview, {
      callerAgentId: agent.agentId,
      callerUniverse: agent.universe,
      receiverAgentId: body.receiver_agent_id,
      transactionId: body.transaction_id ?? (await exchangeOfRepeatable(gateway, request, agent, receiver, once)),
      success: body.success,
      score: body.score,
      commandId: once.commandId,
      earlierCommandId: once.earlierCommandId,
      actor,
    });
    written();
    const reviewed = await askAfter(gateway, request, position, getAgent, receiver);
    if (reviewed.agent === null) throw new DomainError('agent_not_found', 'the receiver has left this universe');
    return trustObjectToWire(reviewed.agent, gateway.baseUrl);
  });
});

type Receiver = { agentId: string; universe: AgentIdentity['universe'] };

/**
 * The newest unreviewed exchange, for a repeatable request: chosen once and remembered, before the review makes another one the newest. If
 * the memory was lost, the one that the request has reviewed. Null leaves the choice to registry-write.
 */
const exchangeOfRepeatable = async (
  gateway: Gateway,
  request: FastifyRequest,
  caller: AgentIdentity,
  receiver: Receiver,
  once: Once,
): Promise<string | null> => {
  const { commandId, earlierCommandId } = once;
  if (commandId === null) return null;
  const { agentId: callerAgentId, universe } = caller;
  const question = { callerAgentId, receiverAgentId: receiver.agentId, universe, commandId, earlierCommandId };
  return once.remember(async () => (await ask(gateway, request, findUnreviewedExchange, question)).transactionId);
};

/** An unknown receiver is reported before a wrong caller. */
const mismatch = async (gateway: Gateway, request: FastifyRequest, receiver: Receiver): Promise<DomainError> => {
  const { agent } = await ask(gateway, request, getAgent, receiver);
  return agent === null
    ? agentNotFound(receiver.agentId)
    : new DomainError('caller_mismatch', 'caller_agent_id is not the agent that the credential belongs to');
};
