import type { MatchedAgent, WeightedCapability } from '@agent-trust/contracts';
import type { ResolvedCapability } from '../resolve-capabilities.ts';

/** Which required name was met by which capability of the agent, and why: for each required name the one that counted. */
export const matchReasons = (
  resolved: readonly ResolvedCapability[],
  capabilities: readonly WeightedCapability[],
): MatchedAgent['matchReasons'] => {
  const weights = new Map(capabilities.map(({ name, weight }) => [name, weight]));
  const best = new Map<string, MatchedAgent['matchReasons'][number]>();
  for (const { required, canonical, similarity, how } of resolved) {
    const weight = weights.get(canonical);
    if (weight === undefined) continue;
    const before = best.get(required);
    if (before !== undefined && before.similarity * before.weight >= similarity * weight) continue;
    best.set(required, { requiredCapability: required, matchedCapability: canonical, weight, how, similarity });
  }
  return [...best.values()];
};
