import { defineTable } from '@agent-trust/projections';
import { organisationMembers, switchedMembers, wantSwitchedMembers } from '../organisation-directory/projection.ts';
import { agentsTouchedBy, type RegistryProjection } from '../registry-event.ts';
import type { RescoredBy } from '../trust-evidence/projection.ts';

/** Where in the log an agent last changed. */
export const agentChanges = defineTable({
  name: 'agent_change',
  columns: { agentId: 'text', position: 'bigint' },
  key: ['agentId'],
  // Under formula v2 it also changes with the record of its organisation.
  variesWithBuild: true,
});

/** Commits with the rows that it speaks of, so a reader that sees the change sees the agent as it is after it. */
export function agentChangeProjection(rescoredBy: RescoredBy | null): RegistryProjection {
  return {
    name: 'agent-change',
    schema: new URL('./schema.sql', import.meta.url),
    tables: [agentChanges],
    readsFrom: [organisationMembers],
    reads: wantSwitchedMembers,
    apply: (event, rows) => {
      const { position } = event;
      for (const agentId of switchedMembers(event, rows)) rows.put(agentChanges, { agentId, position });
      for (const agentId of rescoredBy?.(event).rescored ?? []) rows.put(agentChanges, { agentId, position });
      for (const agentId of agentsTouchedBy(event)) rows.put(agentChanges, { agentId, position });
    },
  };
}
