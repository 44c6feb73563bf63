import { anyTable, defineTable } from '@agent-trust/projections';
import type { RegistryProjection } from '../registry-event.ts';
import { universeKey } from '../universe-key.ts';

/** The way from a capability's canonical name to the agents that have it. */
export type AgentCapabilityRow = { universe: string; name: string; agentId: string; weight: number };

export const agentCapabilities = defineTable<AgentCapabilityRow>({
  name: 'agent_capability',
  columns: { universe: 'text', name: 'text', agentId: 'text', weight: 'integer' },
  key: ['universe', 'name', 'agentId'],
});

export const agentCapabilityProjection: RegistryProjection = {
  name: 'agent-capability',
  tables: [anyTable(agentCapabilities)],
  reads: () => undefined,
  apply: (event, rows) => {
    if (event.type !== 'AgentRegistered' || event.data.configuration.endpointUrl === null) return;
    const { agentId, configuration } = event.data;
    const universe = universeKey(event.data.universe);
    for (const { name, weight } of configuration.capabilities) {
      rows.put(agentCapabilities, { universe, name, agentId, weight });
    }
  },
};
