import {
  DomainError,
  getOwnerAgent,
  type MoveAgentResponse,
  type OwnerAgent,
  production,
  type publishAgent,
  type Universe,
  type withdrawAgent,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { authenticateOrganisation } from '../../http/caller/organisation.ts';
import { heldCredentials } from '../../http/caller/held-credentials.ts';
import { ask, command } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';

/** A move from one side to the other, and how it is asked for. */
export type Move = {
  operation: 'publishAgent' | 'withdrawAgent';
  method: typeof publishAgent | typeof withdrawAgent;
  movedTo: Universe['kind'];
};

/** Moves an agent of the organisation whose sandbox key the request has, and tells how it stands on the other side. */
export async function moveAgent(
  gateway: Gateway,
  request: FastifyRequest,
  agentId: string,
  { operation, method, movedTo }: Move,
): Promise<MoveAgentResponse> {
  const { orgId } = await authenticateOrganisation(gateway, request, operation);
  const actor = { kind: 'organisation', id: orgId, credentials: heldCredentials(request) } as const;
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
}

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
