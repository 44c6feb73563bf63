import { defineTable } from '@agent-trust/projections';
import { agentsTouchedBy, type RegistryProjection } from '../registry-event.ts';

/** Where in the log an agent last changed. */
export const agentChanges = defineTable({
  name: 'agent_change',
  columns: { agentId: 'text', position: 'bigint' },
  key: ['agentId'],
});

/** Commits with the rows that it speaks of, so a reader that sees the change sees the agent as it is after it. */
export const agentChangeProjection: RegistryProjection = {
  name: 'agent-change',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [agentChanges],
  reads: () => undefined,
  apply: (event, rows) => {
    for (const agentId of agentsTouchedBy(event)) rows.put(agentChanges, { agentId, position: event.position });
  },
};
