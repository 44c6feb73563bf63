import { trustedScoreMin } from '@agent-trust/domain';
import { type HonestDomains, perfect, registerAttackers, worst } from '../market.ts';
import { HOUR_MS, type Opinion, type SimulatedRegistry } from '../simulated-registry.ts';
import type { Track } from '../attacks/attack.ts';

type Scores = Track['scores'];

/** The score that most customers want. */
export const trustedFrom = trustedScoreMin;
/** Customers that one agent may cheat before a play ends: more than any policy worth the name lets it. */
export const customersMax = 60;
export const agentsPerOrganisation = 10;

/** An organisation as agents are registered with: its id is its domain. */
export const organisation = (name: string): { orgId: string; orgDomain: string } => ({ orgId: name, orgDomain: name });

/**
 * Customers come one after the other, an hour apart, as long as the target has the score that they want; they are cheated, and say so. Returns how many
 * dealt with it.
 */
export function cheat(
  registry: SimulatedRegistry,
  nextCustomer: () => string,
  target: string,
  options: {
    wanted?: number;
    count?: number;
    opinion?: () => Opinion;
    /** What follows each customer. */
    cover?: () => void;
    scores?: Scores;
  } = {},
): number {
  const { wanted = trustedFrom, count = customersMax, opinion = (): Opinion => worst, cover, scores } = options;
  scores?.push(registry.score(target));
  let victims = 0;
  for (let customer = 0; customer < count && registry.score(target) >= wanted; customer += 1) {
    registry.pass(HOUR_MS);
    victims += 1;
    registry.review(nextCustomer(), target, opinion());
    cover?.();
    scores?.push(registry.score(target));
  }
  return victims;
}

/** All agents of some organisations review an agent, in rounds an hour apart. */
export function reviewInRounds(
  registry: SimulatedRegistry,
  organisations: readonly (readonly string[])[],
  target: string,
  { rounds = 3, opinion = perfect, scores }: { rounds?: number; opinion?: Opinion; scores?: Scores } = {},
): void {
  for (let round = 0; round < rounds; round += 1) {
    for (const agent of organisations.flat()) registry.review(agent, target, opinion);
    registry.pass(HOUR_MS);
    scores?.push(registry.score(target));
  }
}

/** Honest organisations are served one after the other, an hour apart, and say so. */
export function serve(
  registry: SimulatedRegistry,
  nextCustomer: () => string,
  agent: string,
  services: number,
  { opinion = (): Opinion => perfect, scores }: { opinion?: () => Opinion; scores?: Scores } = {},
): void {
  for (let service = 0; service < services; service += 1) {
    registry.pass(HOUR_MS);
    registry.review(nextCustomer(), agent, opinion());
    scores?.push(registry.score(agent));
  }
}

/** Attackers' organisations; one agent of each has served some honest organisations well, once each, which makes it an established one. */
export function registerEstablishedAttackers(
  registry: SimulatedRegistry,
  honest: HonestDomains,
  count: number,
  customers = 6,
): string[][] {
  const attackers = registerAttackers(registry, count, agentsPerOrganisation);
  for (const [agent = ''] of attackers) {
    let number = 0;
    serve(registry, () => honest.reviewerOf(number++), agent, customers);
  }
  return attackers;
}
