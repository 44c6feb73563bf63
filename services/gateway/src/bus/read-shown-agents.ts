import { getShownAgents, type Universe } from '@agent-trust/contracts';
import type { Rpc } from '@agent-trust/nats-rpc';
import { ask, type Origin, readInHalves } from './ask.ts';

/**
 * Agents as the universe sees them, each with its version, in no order; those that it does not see are left out.
 * @param positions for ranked agents, in the order of the ids: each is shown as it was at its position
 */
export function readShownAgents(
  gateway: { rpc: Rpc },
  request: Origin,
  universe: Universe,
  agentIds: readonly string[],
  positions: readonly string[] | null = null,
) {
  return readInHalves(
    { limit: agentIds.length, offset: 0 },
    async ({ limit, offset }) => {
      const partOf = (all: readonly string[]): string[] => all.slice(offset, offset + limit);
      const { build, agents } = await ask(gateway, request, getShownAgents, {
        agentIds: partOf(agentIds),
        universe,
        positions: positions && partOf(positions),
      });
      return agents.map((one) => ({ ...one, build }));
    },
    (first, second) => [...first, ...second],
  );
}
