import {
  DomainError,
  getOwnerAgent,
  type MoveAgentResponse,
  type OwnerAgent,
  production,
  publishAgent,
  publishRoute,
  type Universe,
  withdrawAgent,
  withdrawRoute,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { ask, command } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { type Asked, type Endpoint, endpoint } from '../../http/endpoint.ts';

const publish = endpoint(publishRoute, (asked, gateway) => moveAgent(asked, gateway, publishAgent, 'production'));

const withdraw = endpoint(withdrawRoute, (asked, gateway) => moveAgent(asked, gateway, withdrawAgent, 'sandbox'));

/** Moves an agent of the calling organisation to the other universe, and answers how it stands there. */
const moveAgent = async (
  { body, caller, actor, request }: Asked<typeof publishRoute>,
  gateway: Gateway,
  method: typeof publishAgent | typeof withdrawAgent,
  movedTo: Universe['kind'],
): Promise<MoveAgentResponse> => {
  const agentId = body.agent_id;
  const { orgId } = caller.organisation;
  const { movedAt, position } = await command(gateway, request, method, { agentId, orgId, actor });
  await untilReadable(gateway, request, position);
  const agent = await findAgent(gateway, request, agentId, orgId);
  return {
    agent_id: agentId,
    moved_to: movedTo,
    discoverable: !agent.isSandbox && agent.endpointUrl !== null,
    trust_score: agent.trustScore,
    transaction_count: agent.transactionCount,
    moved_at: movedAt,
  };
};

/**
 * Wherever it is: another move may have come since, and what the agent has earned is the same on both sides.
 *
 * @throws DomainError read_model_behind when it was moved back and forth between the questions.
 */
const findAgent = async (
  gateway: Gateway,
  request: FastifyRequest,
  agentId: string,
  orgId: string,
): Promise<OwnerAgent> => {
  for (const universe of [production, { kind: 'sandbox', orgId } as const, production]) {
    const { agent } = await ask(gateway, request, getOwnerAgent, { agentId, universe });
    if (agent !== null) return agent;
  }
  throw new DomainError(
    'read_model_behind',
    'the move is durable and stands, but the agent was moved on meanwhile: do not repeat it, read again in a moment',
  );
};

export const moveEndpoints: readonly Endpoint[] = [publish, withdraw];
