import { limits } from '@agent-trust/contracts';

/** Bounds of trials and simulations of trust policies; those that clients meet are in the contracts. */
export const labLimits = {
  keptMax: limits.policyJobsKeptMax,
  keptMs: 24 * 3_600_000,
  unaskedMs: limits.policyJobUnaskedSeconds * 1_000,
  agentsKeptMax: limits.policyTrialAgentsMax,
  /** Points of the chart of one agent. */
  historyPointsMax: 200,
  /** Parts of one agent's score: those that change most. */
  partsMax: 50,
  /** Agents that are stored in one statement. */
  agentsPerStatement: 100,
} as const;
