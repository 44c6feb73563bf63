import { column, defineTable, type RowOf } from '@agent-trust/projections';
import type { PackedConfidence } from './confidence.ts';

/** What an agent has earned, and what ranks it. */
export const agentStandings = defineTable({
  name: 'agent_standing',
  columns: {
    agentId: 'text',
    universe: 'text',
    routable: 'boolean',
    trustPolicy: 'text',
    trustScore: 'integer',
    /** Completed production exchanges in which it was the receiver. */
    transactionCount: 'integer',
    /** Those of them whose caller belongs to another organisation: a ranking must not be raised by one's own agents, or by agents that cost nothing. */
    otherOrgTransactionCount: 'integer',
    reviewCount: 'integer',
    successCount: 'integer',
    matchBase: 'double precision',
    lastActive: 'timestamptz',
    lastTransactionAt: 'timestamptz?',
    /** How it answers calls; null before the first. See recent-exchanges/liveness.ts. */
    liveness: 'text?',
    confidence: column<PackedConfidence>('jsonb'),
  },
  key: ['agentId'],
  variesWithBuild: true,
});
export type AgentStandingRow = RowOf<typeof agentStandings>;

/** What an agent has earned, without its score: the score belongs to the policy, and its past is kept with the evidence. */
export type EarnedCounts = Pick<
  AgentStandingRow,
  'transactionCount' | 'reviewCount' | 'successCount' | 'lastActive' | 'lastTransactionAt' | 'liveness'
>;

/** Number of routable agents of a universe at each score, from 0 to 100. */
export const registrySizes = defineTable({
  name: 'registry_size',
  columns: { universe: 'text', agentsByScore: column<readonly number[]>('jsonb') },
  key: ['universe'],
  variesWithBuild: true,
});
