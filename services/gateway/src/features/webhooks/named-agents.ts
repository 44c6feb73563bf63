import { DomainError, getAgent, production } from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { ask } from '../../bus/ask.ts';
import type { Gateway } from '../../gateway.ts';

/**
 * The agents that a webhook names, each once. They must be in production, whosever they are: scores there are public.
 *
 * @throws DomainError agent_not_found
 */
export async function ensureNamedAgents(
  gateway: Gateway,
  request: FastifyRequest,
  named: readonly string[],
): Promise<string[]> {
  const agentIds = [...new Set(named)];
  const found = await Promise.all(
    agentIds.map((agentId) => ask(gateway, request, getAgent, { agentId, universe: production })),
  );
  const missing = agentIds.find((_, index) => found[index]?.agent === null);
  if (missing !== undefined) {
    throw new DomainError('agent_not_found', `agent ${JSON.stringify(missing)} is not registered in production`);
  }
  return agentIds;
}
