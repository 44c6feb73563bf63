import { defineTable } from '@agent-trust/projections';

/** A stretch of what an agent's standing was; `entries` as in entries.ts. */
export const pastStandings = defineTable({
  name: 'agent_standing_past',
  columns: { agentId: 'text', untilPosition: 'bigint', entries: 'text' },
  key: ['agentId', 'untilPosition'],
  appendOnly: true,
});

export const openPastStandings = defineTable({
  name: 'agent_standing_past_open',
  columns: { agentId: 'text', entryCount: 'integer', entries: 'text' },
  key: ['agentId'],
});
