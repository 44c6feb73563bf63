import { DomainError, type WeightedCapability } from '@agent-trust/contracts';

/** How many capabilities of one agent may carry each weight; six in all. */
export const capabilitiesOfWeightMax: Readonly<Record<1 | 2 | 3, number>> = { 3: 1, 2: 2, 1: 3 };

/** Refuses with `capability_weights_exceeded` when a weight is given to more capabilities than its tier holds. */
export function ensureCapabilityWeightTiers(capabilities: readonly WeightedCapability[]): void {
  for (const weight of [3, 2, 1] as const) {
    const names = capabilities.filter((capability) => capability.weight === weight).map(({ name }) => name);
    const most = capabilitiesOfWeightMax[weight];
    if (names.length > most) {
      throw new DomainError(
        'capability_weights_exceeded',
        `${names.length} capabilities have weight ${weight}; at most ${most} may (one of weight 3, two of weight 2, three of weight 1)`,
      );
    }
  }
}
