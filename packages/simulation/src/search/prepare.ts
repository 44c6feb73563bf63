import { type HonestDomains, perfect } from '../market.ts';
import { HOUR_MS, MINUTE_MS, type Opinion, type SimulatedRegistry } from '../simulated-registry.ts';
import type { Budget, Purse } from './purse.ts';
import type { Ranges, Strategy } from './strategy.ts';

/** Reviewers of each honest organisation: fewer than in the gate table, since every strategy is played anew. */
export const honestReviewersEach = 24;

type Preparation =
  | 'colluders'
  | 'agentsOfColluder'
  | 'servicesOfColluder'
  | 'mutualRounds'
  | 'proxies'
  | 'servicesOfProxy';

/** Parameters of what an attacker does before it turns to its victims. */
export function preparations({ organisations, agents }: Budget): Ranges<Preparation> {
  return {
    /** Organisations that review for the attacker, and the agents of each. */
    colluders: { least: 0, most: organisations },
    agentsOfColluder: { least: 1, most: 20 },
    /** Honest organisations that one agent of each serves well. */
    servicesOfColluder: { least: 0, most: 8 },
    /** Rounds in which each of their agents praises one of each other. */
    mutualRounds: { least: 0, most: 6 },
    /** Unaffiliated agents that review for the attacker, and the good services of each. */
    proxies: { least: 0, most: agents },
    servicesOfProxy: { least: 0, most: 8 },
  };
}

/** Who reviews for an attacker. */
export type Accomplices = { colluders: string[][]; proxies: string[] };

/** An attacker's preparations: organisations that may be vouched for, and unaffiliated agents that may have a voice. */
export function prepare(
  registry: SimulatedRegistry,
  honest: HonestDomains,
  purse: Purse,
  strategy: Strategy<Preparation>,
): Accomplices {
  const colluders: string[][] = [];
  for (let number = 0; number < strategy.colluders; number += 1) {
    const name = purse.organisation();
    if (name !== null) colluders.push(purse.agents(name, strategy.agentsOfColluder));
  }
  for (const [agent] of colluders) {
    if (agent !== undefined) serveInTurn(registry, purse, honest.nextReviewer, agent, strategy.servicesOfColluder);
  }
  praiseEachOther(registry, purse, colluders, strategy.mutualRounds);
  const proxies = purse.agents(null, strategy.proxies);
  for (const proxy of proxies) serveInTurn(registry, purse, honest.nextReviewer, proxy, strategy.servicesOfProxy);
  return { colluders, proxies };
}

/** Good services to customers, an hour apart. */
export function serveInTurn(
  registry: SimulatedRegistry,
  purse: Purse,
  nextCustomer: () => string,
  agent: string,
  services: number,
): void {
  for (let service = 0; service < services && !purse.isEmpty; service += 1) {
    registry.pass(HOUR_MS);
    purse.serve(nextCustomer(), agent);
  }
}

/** In each round each agent praises one of each other organisation. */
export function praiseEachOther(
  registry: SimulatedRegistry,
  purse: Purse,
  colluders: readonly string[][],
  rounds: number,
): void {
  for (let round = 0; round < rounds && !purse.isEmpty; round += 1) {
    for (const agents of colluders) {
      for (const others of colluders) {
        if (others === agents) continue;
        for (const [index, agent] of agents.entries()) {
          const praised = others[index];
          if (praised !== undefined) purse.exchange(agent, praised, perfect);
        }
      }
    }
    registry.pass(pauseMs);
  }
}

/** In each round each reviewer reviews an agent. */
export function reviewInTurn(
  registry: SimulatedRegistry,
  purse: Purse,
  reviewers: readonly string[],
  receiver: string,
  { rounds, opinion }: { rounds: number; opinion: Opinion },
): void {
  for (let round = 0; round < rounds && !purse.isEmpty; round += 1) {
    for (const reviewer of reviewers) purse.exchange(reviewer, receiver, opinion);
    registry.pass(pauseMs);
  }
}

/** After a round of sham reviews; so short that nothing ages. */
const pauseMs = 10 * MINUTE_MS;
