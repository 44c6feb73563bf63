import type { WeightedCapability } from '@agent-trust/contracts';

/** What match looks at in an agent. */
export type MatchEntry = {
  agentId: string;
  /** Position of the last event that changed the agent. */
  changedPosition: bigint;
  universe: string;
  routable: boolean;
  verified: boolean;
  orgNameKey: string | null;
  messageProtocol: string;
  settlementRail: readonly string[];
  capabilities: readonly WeightedCapability[];
  trustScore: number;
  transactionCount: number;
  /** The part of match_score that does not depend on the question. */
  matchBase: number;
};

/** An agent in a ranking. `matchScore` is 0–1 with four decimals. */
export type RankedAgent = Pick<MatchEntry, 'agentId' | 'changedPosition' | 'capabilities'> & { matchScore: number };
