import type { MatchReason, WeightedCapability } from '@agent-trust/contracts';
import type { ResolvedCapability } from '../resolve-capabilities.ts';

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
export function matchReasons(
  resolved: readonly ResolvedCapability[],
  capabilities: readonly WeightedCapability[],
): MatchReason[] {
  return bestMet(resolved, capabilities).map((met) => reasonOf(resolved, met));
}

/** Gathers the reasons of many agents, each reason once. */
export function sharedReasons(resolved: readonly ResolvedCapability[]): {
  reasons: MatchReason[];
  placesOf: (capabilities: readonly WeightedCapability[]) => number[];
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
  return { reasons, placesOf: (capabilities) => bestMet(resolved, capabilities).map(placeOf) };
}
