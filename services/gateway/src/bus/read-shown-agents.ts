import { getShownAgents, type Universe } from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import type { Gateway } from '../gateway.ts';
import { ask, readInHalves } from './ask.ts';

/** Agents as the universe sees them, each with its version, in no order; those that it does not see are left out. */
export function readShownAgents(
  gateway: Gateway,
  request: FastifyRequest,
  universe: Universe,
  agentIds: readonly string[],
) {
  return readInHalves(
    { limit: agentIds.length, offset: 0 },
    async ({ limit, offset }) => {
      const part = agentIds.slice(offset, offset + limit);
      const { build, agents } = await ask(gateway, request, getShownAgents, { agentIds: part, universe });
      return agents.map((one) => ({ ...one, build }));
    },
    (first, second) => [...first, ...second],
  );
}
