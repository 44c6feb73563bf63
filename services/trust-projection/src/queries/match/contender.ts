import { type MatchedAgent, type MatchReason, matchWeights, type WeightedCapability } from '@agent-trust/contracts';
import { capabilitiesOfWeightMax } from '@agent-trust/domain';
import {
  type EarnedStanding,
  matchBase,
  type MatchBaseParts,
  matchBaseParts,
} from '../../projector/read-models/agent-standing/match-base.ts';
import type { ResolvedCapability } from '../resolve-capabilities.ts';
import { matchSteps } from '../../projector/read-models/agent-standing/match-base.ts';

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
  const { agentId, capabilities, trustScore, otherOrgTransactionCount, reviewCount, successCount } = agent;
  const earned = { trustScore, otherOrgTransactionCount, reviewCount, successCount };
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

/** A place in the resolved capabilities, and the weight with which an agent has that one. */
type Met = { at: number; weight: number };

/** What meets each required name best. */
const bestMet = (resolved: readonly ResolvedCapability[], capabilities: readonly WeightedCapability[]): Met[] => {
  const best = new Map<string, Met & { strength: number }>();
  for (const [at, { required, canonical, similarity }] of resolved.entries()) {
    const weight = capabilities.find(({ name }) => name === canonical)?.weight;
    if (weight === undefined) continue;
    const strength = similarity * weight;
    const before = best.get(required);
    if (before === undefined || before.strength < strength) best.set(required, { at, weight, strength });
  }
  return [...best.values()];
};

const reasonOf = (resolved: readonly ResolvedCapability[], { at, weight }: Met): MatchReason => {
  const { required, canonical, how, similarity } = resolved[at] as ResolvedCapability;
  return { requiredCapability: required, matchedCapability: canonical, weight, how, similarity };
};

/** Which required name was met by which capability of the agent, and why: for each required name the one that counted. */
function matchReasons(
  resolved: readonly ResolvedCapability[],
  capabilities: readonly WeightedCapability[],
): MatchReason[] {
  return bestMet(resolved, capabilities).map((met) => reasonOf(resolved, met));
}

/** Gathers the reasons of many agents, each reason once. `metBy` says which of them an agent has, and how well it meets the question. */
export function sharedReasons(resolved: readonly ResolvedCapability[]): {
  reasons: MatchReason[];
  metBy: (capabilities: readonly WeightedCapability[]) => { places: number[]; capability: number };
} {
  const reasons: MatchReason[] = [];
  const places = new Map<number, number>();
  const placeOf = (met: Met): number => {
    const key = met.at * 4 + met.weight;
    let place = places.get(key);
    if (place === undefined) {
      place = reasons.push(reasonOf(resolved, met)) - 1;
      places.set(key, place);
    }
    return place;
  };
  const requiredCount = new Set(resolved.map(({ required }) => required)).size;
  return {
    reasons,
    metBy: (capabilities) => {
      const places = bestMet(resolved, capabilities).map(placeOf);
      const met = places.map((at) => reasons[at] as MatchReason);
      return { places, capability: capabilityMean(met, requiredCount) };
    },
  };
}

/** A change of one capability that would raise a score, and the score after it. */
export type WeightGain = { capability: string; weight: number; isNew: boolean; after: Contender };

/** The heaviest weight that a capability may take when the others stay as they are; null where there is no room. */
const freeWeight = (others: readonly WeightedCapability[]): 1 | 2 | 3 | null => {
  const isFree = (weight: 1 | 2 | 3): boolean =>
    others.filter((other) => other.weight === weight).length < capabilitiesOfWeightMax[weight];
  return ([3, 2, 1] as const).find(isFree) ?? null;
};

/**
 * The one change of one capability, within the weight tiers, that raises an agent's match_score most: a required name that it lacks, or
 * a heavier weight for one that it has. Null when none does.
 */
export function bestWeightGain(
  agent: Parameters<typeof contenderOf>[0],
  resolved: readonly ResolvedCapability[],
): WeightGain | null {
  const now = contenderOf(agent, resolved);
  const required = new Set(resolved.map((capability) => capability.required));
  const met = new Map(now.matchReasons.map((reason) => [reason.requiredCapability, reason]));
  const gains = Array.from(required, (name): WeightGain | null => {
    const reason = met.get(name);
    // A capability that is only close counts for less than the name itself would.
    const capability = reason !== undefined && reason.similarity === 1 ? reason.matchedCapability : name;
    const others = agent.capabilities.filter((held) => held.name !== capability);
    const weight = freeWeight(others);
    if (weight === null) return null;
    const after = contenderOf({ ...agent, capabilities: [...others, { name: capability, weight }] }, resolved);
    return { capability, weight, isNew: others.length === agent.capabilities.length, after };
  });
  return gains.reduce<WeightGain | null>(
    (best, gain) => (gain !== null && gain.after.steps > (best?.after.steps ?? now.steps) ? gain : best),
    null,
  );
}
