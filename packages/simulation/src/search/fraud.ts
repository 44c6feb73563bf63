import { trustedScoreMin } from '@agent-trust/domain';
import { type HonestDomains, honestDomainCount, perfect, registerHonestDomains, worst } from '../market.ts';
import { DAY_MS, HOUR_MS, SimulatedRegistry } from '../simulated-registry.ts';
import { type Goal, goal } from './goal.ts';
import {
  type Accomplices,
  honestReviewersEach,
  preparations,
  prepare,
  praiseEachOther,
  reviewInTurn,
  serveInTurn,
} from './prepare.ts';
import { type Budget, Purse } from './purse.ts';
import type { Ranges, Strategy } from './strategy.ts';

/** The score that customers want. */
const wanted = trustedScoreMin;
/** Honest unaffiliated agents that are customers, and the good services that have raised each of them. */
const nobodies = { count: 12, services: 6 };
/** Where targets belong: nowhere, to an organisation of their own, to the colluders in turn; or nowhere until they are adopted, before they cheat. */
const home = { nowhere: 0, own: 1, colluders: 2, adopted: 3 } as const;

type Fraud =
  | keyof ReturnType<typeof preparations>
  | 'targets'
  | 'home'
  | 'servicesOfTarget'
  | 'servicesBetween'
  | 'praisers'
  | 'praiseRounds'
  | 'coverRounds'
  | 'frauds'
  | 'cheated'
  | 'restDays'
  | 'mutualRoundsBetween';

/** Whom the attacker cheats: whoever comes, honest organisations that it chooses, or unaffiliated agents. */
type Victims = 'whoever comes' | 'chosen' | 'nobodies';

const rangesOf = (budget: Budget, victims: Victims): Ranges<Fraud> => ({
  ...preparations(budget),
  /** Agents that cheat, one after the other. */
  targets: { least: 1, most: Math.max(1, budget.agents) },
  home: { least: home.nowhere, most: budget.organisations === 0 ? home.nowhere : home.adopted },
  /** Good services of each before its first fraud, and after each fraud. */
  servicesOfTarget: { least: 0, most: 60 },
  servicesBetween: { least: 0, most: 10 },
  /** Colluders that praise one target, others the next; rounds before its first fraud, and after each. */
  praisers: { least: 0, most: budget.organisations },
  praiseRounds: { least: 0, most: 6 },
  coverRounds: { least: 0, most: 3 },
  /** Frauds of one target before it is dropped, and the honest organisations that are cheated; the others are served. */
  frauds: { least: 1, most: 60 },
  cheated:
    victims === 'chosen'
      ? { least: 1, most: honestDomainCount }
      : { least: honestDomainCount, most: honestDomainCount },
  /** Between two targets. */
  restDays: { least: 0, most: 120 },
  mutualRoundsBetween: { least: 0, most: 3 },
});

const always = { frauds: 60, cheated: honestDomainCount } as const;
const many = 1000;

/** What the rows of the gate table do, as far as a budget allows. */
const known: Readonly<Record<string, Partial<Strategy<Fraud>>>> = {
  minting: { ...always, targets: many, home: home.own },
  'diluted minting': { ...always, targets: many, home: home.own, servicesOfTarget: 2, frauds: 1 },
  'serial ring': {
    ...always,
    colluders: 5,
    agentsOfColluder: 4,
    servicesOfColluder: 6,
    targets: 20,
    praisers: 5,
    praiseRounds: 2,
  },
  'ring of six': {
    ...always,
    colluders: 6,
    agentsOfColluder: 3,
    mutualRounds: 1,
    targets: 60,
    praisers: 6,
    praiseRounds: 2,
  },
  laundering: { ...always, proxies: 10, servicesOfProxy: 5, targets: 20, praiseRounds: 3 },
  'a nobody that begins anew': { ...always, targets: many, servicesOfTarget: 12 },
  'on-off': { ...always, targets: 1, home: home.own, servicesOfTarget: 60 },
  'cheats one': { ...always, targets: 1, home: home.own, servicesOfTarget: 20, servicesBetween: 2, cheated: 1 },
};

const fraud = (facts: Pick<Goal, 'name' | 'title'>, victims: Victims, isProfit = false): Goal => {
  const gain = isProfit ? 'victims less good services' : 'victims';
  const goalFacts = { ...facts, gain, choices: { home: Object.keys(home) } };
  return goal(
    goalFacts,
    (budget) => rangesOf(budget, victims),
    known,
    (newScoring, random, budget, strategy) => {
      const registry = new SimulatedRegistry(newScoring());
      const honest = registerHonestDomains(registry, random, honestDomainCount, true, honestReviewersEach);
      const nextVictim = victimsOf(victims, registry, honest, strategy);
      const nextServed =
        strategy.cheated === honestDomainCount
          ? honest.nextReviewer
          : inOrder(honest, strategy.cheated, honestDomainCount);
      const purse = new Purse(registry, budget);
      const own = strategy.home === home.own || strategy.home === home.adopted ? purse.organisation() : null;
      const accomplices = prepare(registry, honest, purse, strategy);
      const { colluders } = accomplices;
      let cheatedCount = 0;
      for (let number = 0; number < strategy.targets && !purse.isEmpty; number += 1) {
        const target = purse.agent(organisationOf(strategy, own, colluders.length, number));
        if (target === null) break;
        const praisers = praisersOf(accomplices, number, strategy);
        const praise = (rounds: number): void =>
          reviewInTurn(registry, purse, praisers, target, { rounds, opinion: perfect });
        serveInTurn(registry, purse, nextServed, target, strategy.servicesOfTarget);
        praise(strategy.praiseRounds);
        if (strategy.home === home.adopted && own !== null) registry.adopt(target, own);
        for (let done = 0; done < strategy.frauds && registry.score(target) >= wanted; done += 1) {
          registry.pass(HOUR_MS);
          if (!purse.exchange(nextVictim(), target, worst)) break;
          cheatedCount += 1;
          praise(strategy.coverRounds);
          serveInTurn(registry, purse, nextServed, target, strategy.servicesBetween);
        }
        registry.pass(strategy.restDays * DAY_MS);
        praiseEachOther(registry, purse, colluders, strategy.mutualRoundsBetween);
      }
      const { spent, services } = purse;
      return { gain: isProfit ? cheatedCount - services : cheatedCount, spent, services };
    },
  );
};

const victimsOf = (
  victims: Victims,
  registry: SimulatedRegistry,
  honest: HonestDomains,
  { cheated }: Strategy<Fraud>,
): (() => string) => {
  switch (victims) {
    case 'whoever comes':
      return honest.nextReviewer;
    case 'chosen':
      return inOrder(honest, 0, cheated);
    case 'nobodies': {
      const agents = registerNobodies(registry, honest);
      let next = 0;
      return () => agents[next++ % agents.length] ?? '';
    }
    default:
      return victims satisfies never;
  }
};

/** The organisation of a target. If it is a colluder's, the attacker has none before those of the colluders. */
const organisationOf = (
  { home: at }: Strategy<Fraud>,
  own: string | null,
  colluders: number,
  number: number,
): string | null => {
  if (at === home.own) return own;
  return at === home.colluders && colluders > 0 ? Purse.nameOf(number % colluders) : null;
};

/** Colluders take turns, so that one after the other answers for its praise. */
const praisersOf = ({ colluders, proxies }: Accomplices, number: number, { praisers }: Strategy<Fraud>): string[] => {
  const count = Math.min(praisers, colluders.length);
  const chosen = Array.from({ length: count }, (_, index) => colluders[(number * count + index) % colluders.length]);
  return [...chosen.flatMap((agents) => agents ?? []), ...proxies];
};

/** Honest organisations from one number up to below another, in turn, each time by another agent. */
const inOrder = (honest: HonestDomains, from: number, to: number): (() => string) => {
  let next = 0;
  return () => honest.reviewerOf(from + (next++ % (to - from)));
};

const registerNobodies = (registry: SimulatedRegistry, honest: HonestDomains): string[] =>
  Array.from({ length: nobodies.count }, (_, index) => {
    const agent = registry.register(`honest-nobody-${index}`);
    for (let service = 0; service < nobodies.services; service += 1) {
      registry.pass(HOUR_MS);
      registry.review(honest.nextReviewer(), agent, perfect);
    }
    return agent;
  });

export const fraudGoals: readonly Goal[] = [
  fraud({ name: 'fraud', title: 'Agents cheat whoever comes of 8 honest organisations and wants 70' }, 'whoever comes'),
  fraud({ name: 'profit', title: 'The same, where a good service costs what a fraud gains' }, 'whoever comes', true),
  fraud(
    { name: 'fraud-on-few', title: 'The same, where the attacker chooses whom it cheats, and serves the others' },
    'chosen',
  ),
  fraud({ name: 'fraud-on-nobodies', title: 'Agents cheat unaffiliated customers that want 70' }, 'nobodies'),
];
