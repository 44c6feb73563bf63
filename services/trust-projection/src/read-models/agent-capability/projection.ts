import { anyTable, defineTable } from '@agent-trust/projections';
import { agentsChangedBy } from '../agent-directory/agents-changed-by.ts';
import { type AgentRow, agents } from '../agent-directory/table.ts';
import type { RegistryProjection } from '../registry-event.ts';

/** The way from a capability's canonical name to the agents that have it. */
export type AgentCapabilityRow = { universe: string; name: string; agentId: string; weight: number };

export const agentCapabilities = defineTable<AgentCapabilityRow>({
  name: 'agent_capability',
  columns: { universe: 'text', name: 'text', agentId: 'text', weight: 'integer' },
  key: ['universe', 'name', 'agentId'],
});

/** What leads to an agent: nothing to one without an endpoint, and from its own universe only. */
const waysTo = (agent: AgentRow | undefined): AgentCapabilityRow[] =>
  agent === undefined || !agent.routable
    ? []
    : agent.configuration.capabilities.map(({ name, weight }) => ({
        universe: agent.universe,
        name,
        agentId: agent.agentId,
        weight,
      }));

/** Follows the directory: whatever changes an agent's capabilities, endpoint or universe moves its rows. */
export const agentCapabilityProjection: RegistryProjection = {
  name: 'agent-capability',
  tables: [anyTable(agentCapabilities)],
  reads: (event, wanted) => {
    for (const agentId of agentsChangedBy(event)) wanted.row(agents, agentId);
  },
  apply: (event, rows) => {
    for (const agentId of agentsChangedBy(event)) {
      const before = waysTo(rows.getBefore(agents, agentId));
      const after = waysTo(rows.get(agents, agentId));
      for (const old of before) {
        if (after.some(({ universe, name }) => universe === old.universe && name === old.name)) continue;
        rows.delete(agentCapabilities, old.universe, old.name, agentId);
      }
      for (const way of after) {
        const same = before.some(
          ({ universe, name, weight }) => universe === way.universe && name === way.name && weight === way.weight,
        );
        if (!same) rows.put(agentCapabilities, way);
      }
    }
  },
};
