import type { MatchedAgent, WeightedCapability } from '@agent-trust/contracts';
import {
  type EarnedStanding,
  type MatchBaseParts,
  matchBase,
  matchBaseParts,
  matchWeights,
} from '../../projector/read-models/agent-standing/match-base.ts';
import type { ResolvedCapability } from '../resolve-capabilities.ts';
import { matchReasons } from './match-reasons.ts';
import { matchSteps } from './match-steps.ts';

const capabilityWeightMax = 3;

/** One agent held against a question, with all that its match_score is made of. The parts are shares of the score, 0–1. */
export type Contender = EarnedStanding & {
  agentId: string;
  /** match_score in ten-thousandths. */
  steps: number;
  parts: MatchBaseParts & { capability: number };
  matchReasons: MatchedAgent['matchReasons'];
};

/** Mean over the required names of similarity·weight/3; 0 when none are required. */
const capabilityMean = (reasons: MatchedAgent['matchReasons'], requiredCount: number): number => {
  const sum = reasons.reduce((total, { similarity, weight }) => total + similarity * weight, 0);
  return requiredCount === 0 ? 0 : sum / (capabilityWeightMax * requiredCount);
};

/** Scores one agent, whether it could be found or not. */
export function contenderOf(
  agent: EarnedStanding & { agentId: string; capabilities: readonly WeightedCapability[] },
  resolved: readonly ResolvedCapability[],
): Contender {
  const { agentId, capabilities, trustScore, transactionCount, reviewCount, successCount } = agent;
  const earned = { trustScore, transactionCount, reviewCount, successCount };
  const reasons = matchReasons(resolved, capabilities);
  const capability = capabilityMean(reasons, new Set(resolved.map(({ required }) => required)).size);
  return {
    agentId,
    ...earned,
    steps: matchSteps(capability, matchBase(earned)),
    parts: { capability: matchWeights.capability * capability, ...matchBaseParts(earned) },
    matchReasons: reasons,
  };
}
