import { defineTable } from '@agent-trust/projections';

/** A stretch of what an agent's standing was; `entries` as in entries.ts. */
export type PastStandingsRow = { agentId: string; untilPosition: bigint; entries: string };

export const pastStandings = defineTable<PastStandingsRow>({
  name: 'agent_standing_past',
  columns: { agentId: 'text', untilPosition: 'bigint', entries: 'text' },
  key: ['agentId', 'untilPosition'],
  appendOnly: true,
});

export type OpenPastStandingsRow = { agentId: string; entryCount: number; entries: string };

export const openPastStandings = defineTable<OpenPastStandingsRow>({
  name: 'agent_standing_past_open',
  columns: { agentId: 'text', entryCount: 'integer', entries: 'text' },
  key: ['agentId'],
});
