import type { SimulatedRegistry } from '../registry/simulated-registry.ts';

/** Agents of an attacker's organisations, one domain each: verified, since nobody knows yet what they are. */
export function registerAttackers(registry: SimulatedRegistry, domainCount: number, perDomain: number): string[][] {
  return Array.from({ length: domainCount }, (_, domain) => {
    const orgDomain = `attacker-${domain + 1}.test`;
    return Array.from({ length: perDomain }, (__, index) =>
      registry.register(`${orgDomain}/${index + 1}`, { orgId: orgDomain, orgDomain }),
    );
  });
}
