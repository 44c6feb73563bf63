import { defineTable } from '@agent-trust/projections';
import {
  membersOf,
  organisationMembers,
  organisationSwitchedBy,
  wantMembers,
} from '../organisation-directory/projection.ts';
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
  readsFrom: [organisationMembers],
  reads: (event, wanted) => {
    const switched = organisationSwitchedBy(event);
    if (switched !== null) wantMembers(wanted, switched);
  },
  apply: (event, rows) => {
    const switched = organisationSwitchedBy(event);
    const { position } = event;
    if (switched !== null)
      for (const agentId of membersOf(rows, switched)) rows.put(agentChanges, { agentId, position });
    for (const agentId of agentsTouchedBy(event)) rows.put(agentChanges, { agentId, position: event.position });
  },
};
