import { defineTable } from '@agent-trust/projections';

/** What an agent has earned, and what ranks it. */
export type AgentStandingRow = {
  agentId: string;
  universe: string;
  routable: boolean;
  trustPolicy: string;
  trustScore: number;
  /** Completed production exchanges in which it was the receiver. */
  transactionCount: number;
  reviewCount: number;
  successCount: number;
  matchBase: number;
  lastActive: Date;
  lastTransactionAt: Date | null;
};

/** Number of routable agents of a universe at each score, from 0 to 100. */
export type RegistrySizeRow = { universe: string; agentsByScore: readonly number[] };

export const agentStandings = defineTable<AgentStandingRow>({
  name: 'agent_standing',
  columns: {
    agentId: 'text',
    universe: 'text',
    routable: 'boolean',
    trustPolicy: 'text',
    trustScore: 'integer',
    transactionCount: 'integer',
    reviewCount: 'integer',
    successCount: 'integer',
    matchBase: 'double precision',
    lastActive: 'timestamptz',
    lastTransactionAt: 'timestamptz',
  },
  key: ['agentId'],
  variesWithBuild: true,
});

export const registrySizes = defineTable<RegistrySizeRow>({
  name: 'registry_size',
  columns: { universe: 'text', agentsByScore: 'jsonb' },
  key: ['universe'],
  variesWithBuild: true,
});
