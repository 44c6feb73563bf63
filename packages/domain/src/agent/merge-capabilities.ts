import type { WeightedCapability } from '@agent-trust/contracts';

/** One entry a canonical name, with the highest weight it was given; the order of first mention stays. */
export function mergeCapabilities(capabilities: readonly WeightedCapability[]): WeightedCapability[] {
  const weights = new Map<string, number>();
  for (const { name, weight } of capabilities) weights.set(name, Math.max(weight, weights.get(name) ?? weight));
  return [...weights].map(([name, weight]) => ({ name, weight }));
}
