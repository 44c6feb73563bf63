import {
  type AgentIdentity,
  DomainError,
  getAgent,
  reviewRoute,
  submitReview,
  trustObjectToWire,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { actorOf, authenticateAgent } from '../../authentication/authenticate.ts';
import { ask, command } from '../../bus/ask.ts';
import { askAfter } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { refuseIdempotencyKey } from '../../http/not-yet.ts';

export const review: Endpoint = endpoint(reviewRoute, async ({ body, request }, gateway) => {
  const agent = await authenticateAgent(gateway, request, 'reviewExchange');
  refuseIdempotencyKey(request);
  const receiver = { agentId: body.receiver_agent_id, universe: agent.universe };
  if (agent.agentId !== body.caller_agent_id) throw await mismatch(gateway, request, receiver);
  const { position } = await command(gateway, request, submitReview, {
    callerAgentId: agent.agentId,
    callerUniverse: agent.universe,
    receiverAgentId: body.receiver_agent_id,
    transactionId: body.transaction_id ?? null,
    success: body.success,
    score: body.score,
    commandId: null,
    actor: actorOf({ kind: 'agent', agent }),
  });
  const reviewed = await askAfter(gateway, request, position, getAgent, receiver);
  if (reviewed.agent === null) throw new DomainError('agent_not_found', 'the receiver has left this universe');
  return trustObjectToWire(reviewed.agent, gateway.baseUrl);
});

/** An unknown receiver is told before a wrong caller. */
const mismatch = async (
  gateway: Gateway,
  request: FastifyRequest,
  receiver: { agentId: string; universe: AgentIdentity['universe'] },
): Promise<DomainError> => {
  const { agent } = await ask(gateway, request, getAgent, receiver);
  return agent === null
    ? new DomainError('agent_not_found', 'no agent of the id in receiver_agent_id is registered')
    : new DomainError('caller_mismatch', 'caller_agent_id is not the agent that the credential belongs to');
};
