import { policyV2 } from '@agent-trust/trust-policy';
import type { SeededRandom } from './random/seeded-random.ts';
import { HOUR_MS, type Opinion, type SimulatedRegistry } from './simulated-registry.ts';

/** The gate table's own number of honest domains that an attacker's agent meets. */
export const honestDomainCount = 8;
/** Enough that no reviewer comes twice within one attack: nothing is damped, the slowest case. */
const agentsPerDomainByDefault = 60;

/** Reviewers of honest organisations, one domain each. */
export type HonestDomains = {
  /** The ids of the organisations, in the order of their numbers. */
  names: readonly string[];
  /** The next honest reviewer: domains come in a random order, each once before any comes again. */
  nextReviewer: () => string;
  /** The next reviewer of one of the domains, by its number. */
  reviewerOf: (domain: number) => string;
};

export function registerHonestDomains(
  registry: SimulatedRegistry,
  random: SeededRandom,
  count: number = honestDomainCount,
  isEstablished = true,
  agentsPerDomain: number = agentsPerDomainByDefault,
): HonestDomains {
  const domains = Array.from({ length: count }, (_, index) => `honest-${index + 1}.test`);
  const agents = domains.map((orgDomain) =>
    Array.from({ length: agentsPerDomain }, (_, index) =>
      registry.register(`${orgDomain}/${index + 1}`, { orgId: orgDomain, orgDomain }),
    ),
  );
  if (registry.hasStanding && isEstablished) establish(registry, domains);
  const used = domains.map(() => 0);
  let round: number[] = [];
  const reviewerOf = (domain: number): string => {
    const agent = agents[domain]?.[(used[domain] ?? 0) % agentsPerDomain];
    if (agent === undefined) throw new RangeError(`there is no honest domain ${domain}`);
    used[domain] = (used[domain] ?? 0) + 1;
    return agent;
  };
  return {
    names: domains,
    reviewerOf,
    nextReviewer: () => {
      if (round.length === 0) round = random.shuffled(domains.map((_, index) => index));
      return reviewerOf(round.pop() ?? 0);
    },
  };
}

/** Organisations that an honest one has served well, once each: as many as make it an established one. */
const vouchersEach = policyV2.constants.establishedBy;

/**
 * Organisations that have done business with each other before an attack begins, and so are established. One agent of each does that, which no attack
 * meets. Fewer than six cannot establish each other; then others that no attack meets vouch for them.
 */
export function establish(registry: SimulatedRegistry, organisations: readonly string[]): void {
  const elders = Math.max(0, vouchersEach + 1 - organisations.length);
  const clerks = [
    ...organisations,
    ...Array.from({ length: elders }, (_, index) => `${organisations[0]}-elder-${index}.test`),
  ].map((orgId) => registry.register(`${orgId}/clerk`, { orgId, orgDomain: orgId }));
  for (const [index, clerk] of clerks.entries()) {
    for (let step = 1; step <= vouchersEach; step += 1) {
      registry.review(clerks[(index + step) % clerks.length] ?? '', clerk, perfect);
    }
  }
}

/** Agents of an attacker's organisations, one domain each: verified, since nobody knows them yet. */
export function registerAttackers(registry: SimulatedRegistry, domainCount: number, perDomain: number): string[][] {
  return Array.from({ length: domainCount }, (_, domain) => {
    const orgDomain = `attacker-${domain + 1}.test`;
    return Array.from({ length: perDomain }, (__, index) =>
      registry.register(`${orgDomain}/${index + 1}`, { orgId: orgDomain, orgDomain }),
    );
  });
}

/** Standard deviation of what honest reviewers make of the same quality, as a fraction of the scale. */
const opinionSpread = 0.1;

/** Below the middle of the scale a reviewer says that the exchange failed. */
const contentFrom = 0.5;

/**
 * What an honest reviewer says of an exchange with an agent of this quality (0–1). Quality is on the scale of ratings, as the gate
 * table sets it beside scores: what reviewers feel scatters around it, and they call a failure what they are not content with.
 */
export function honestOpinion(quality: number, random: SeededRandom): Opinion {
  const felt = Math.min(1, Math.max(0, quality + opinionSpread * random.normal()));
  return { success: felt >= contentFrom, score: 1 + Math.round(9 * felt) };
}

/** The best that can be said. */
export const perfect: Opinion = { success: true, score: 10 };
/** The worst that can be said. */
export const worst: Opinion = { success: false, score: 1 };

/** Reviews a target repeatedly. Returns its score before the first review and after each. */
export function scoresOfReviewed(
  registry: SimulatedRegistry,
  target: string,
  count: number,
  next: (review: number) => { reviewer: string; opinion: Opinion },
  pauseMs: number = HOUR_MS,
): number[] {
  const scores = [registry.score(target)];
  for (let review = 0; review < count; review += 1) {
    registry.pass(pauseMs);
    const { reviewer, opinion } = next(review);
    registry.review(reviewer, target, opinion);
    scores.push(registry.score(target));
  }
  return scores;
}

/** An agent of an organisation of its own, in a market of honest domains. */
export function marketWithTarget(
  registry: SimulatedRegistry,
  random: SeededRandom,
  domainCount: number = honestDomainCount,
): { honest: HonestDomains; target: string } {
  const honest = registerHonestDomains(registry, random, domainCount);
  return { honest, target: registry.register('target', { orgId: 'target.test', orgDomain: 'target.test' }) };
}
