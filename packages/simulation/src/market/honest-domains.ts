import type { SeededRandom } from '../random/seeded-random.ts';
import type { SimulatedRegistry } from '../registry/simulated-registry.ts';

/** The gate table's own number of honest domains that an attacker's agent meets. */
export const honestDomainCount = 8;
/** So many that no reviewer comes twice within what one attack does: nothing is damped, which lasts longest. */
const agentsPerDomain = 60;

/** Reviewers of honest organisations, one domain each. */
export type HonestDomains = {
  /** The next honest reviewer: domains come in a random order, each once before any comes again. */
  nextReviewer: () => string;
  /** The next reviewer of one of the domains, by its number. */
  reviewerOf: (domain: number) => string;
};

export function registerHonestDomains(
  registry: SimulatedRegistry,
  random: SeededRandom,
  count: number = honestDomainCount,
): HonestDomains {
  const domains = Array.from({ length: count }, (_, index) => `honest-${index + 1}.test`);
  const agents = domains.map((orgDomain) =>
    Array.from({ length: agentsPerDomain }, (_, index) =>
      registry.register(`${orgDomain}/${index + 1}`, { orgId: orgDomain, orgDomain }),
    ),
  );
  const used = domains.map(() => 0);
  let round: number[] = [];
  const reviewerOf = (domain: number): string => {
    const agent = agents[domain]?.[(used[domain] ?? 0) % agentsPerDomain];
    if (agent === undefined) throw new RangeError(`there is no honest domain ${domain}`);
    used[domain] = (used[domain] ?? 0) + 1;
    return agent;
  };
  return {
    reviewerOf,
    nextReviewer: () => {
      if (round.length === 0) round = random.shuffled(domains.map((_, index) => index));
      return reviewerOf(round.pop() ?? 0);
    },
  };
}
