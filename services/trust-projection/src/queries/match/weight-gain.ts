import type { WeightedCapability } from '@agent-trust/contracts';
import { capabilitiesOfWeightMax } from '@agent-trust/domain';
import type { ResolvedCapability } from '../resolve-capabilities.ts';
import { type Contender, contenderOf } from './contender.ts';

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
