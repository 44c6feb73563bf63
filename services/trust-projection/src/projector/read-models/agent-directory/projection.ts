import type { Rows } from '@agent-trust/projections';
import { agentsChangedBy, type RegistryProjection } from '../registry-event.ts';
import { registeredRow, rowAfter } from './row-after.ts';
import { agents } from './table.ts';

export const agentDirectoryProjection: RegistryProjection = {
  name: 'agent-directory',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [agents],
  reads: (event, wanted) => {
    for (const agentId of agentsChangedBy(event)) wanted.row(agents, agentId);
  },
  apply: (event, rows) => {
    if (event.type === 'AgentRegistered') {
      rows.put(agents, registeredRow(event));
      return;
    }
    const [agentId] = agentsChangedBy(event);
    if (agentId === undefined) return;
    const row = rows.get(agents, agentId);
    if (row === undefined) throw new Error(`agent ${agentId} was never registered`);
    rows.put(agents, rowAfter(event, row));
    if (event.type === 'ClonePaired') confirmPair(rows, agentId, event.data.relatedAgentId);
  },
};

/**
 * The live agent names its clone before there is one, and the clone's registration may come to nothing or the id go to somebody
 * else. So neither side shows the other until each is named by the other.
 */
const confirmPair = (rows: Rows, agentId: string, relatedAgentId: string): void => {
  const [agent, related] = [rows.get(agents, agentId), rows.get(agents, relatedAgentId)];
  if (agent === undefined || related?.pairedAgentId !== agentId) return;
  rows.put(agents, { ...agent, relatedAgentId });
  rows.put(agents, { ...related, relatedAgentId: agentId });
};
