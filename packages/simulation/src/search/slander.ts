import { honestDomainCount, honestOpinion, registerHonestDomains, worst } from '../market.ts';
import { DAY_MS, HOUR_MS, SimulatedRegistry } from '../simulated-registry.ts';
import { type Goal, goal } from './goal.ts';
import { honestReviewersEach, preparations, prepare, praiseEachOther, reviewInTurn } from './prepare.ts';
import { type Budget, Purse } from './purse.ts';
import type { Ranges, Strategy } from './strategy.ts';

const quality = 0.95;
const honestReviews = 40;
/** While it is slandered, the competitor has one honest customer a day; before that it may rest. */
const honestEachMs = DAY_MS;
const competitor = { orgId: 'competitor.test', orgDomain: 'competitor.test' };

type Slander = keyof ReturnType<typeof preparations> | 'restDays' | 'rounds' | 'daysBetween' | 'mutualRoundsBetween';

const rangesOf = (budget: Budget): Ranges<Slander> => ({
  ...preparations(budget),
  /** Days without any review before the first bad one. */
  restDays: { least: 0, most: 120 },
  /** Rounds of bad reviews by all colluders and proxies, and the days between two. */
  rounds: { least: 1, most: 20 },
  daysBetween: { least: 0, most: 30 },
  mutualRoundsBetween: { least: 0, most: 2 },
});

const known: Readonly<Record<string, Partial<Strategy<Slander>>>> = {
  'bad-mouthing': { colluders: 20, agentsOfColluder: 10, rounds: 20 },
  'bad-mouthing after a rest': { colluders: 20, agentsOfColluder: 10, rounds: 20, restDays: 91 },
  'proxy slander': { proxies: 10, servicesOfProxy: 5, rounds: 5 },
};

/** What a slandered agent, or its organisation's next one, loses at most. */
const slander = (facts: Pick<Goal, 'name' | 'title' | 'gain'>, isAboutNext: boolean): Goal =>
  goal({ ...facts, choices: {} }, rangesOf, known, (newScoring, random, budget, strategy) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random, honestDomainCount, true, honestReviewersEach);
    const agent = registry.register('competitor', competitor);
    // An agent without reviews stands where the next one will.
    const next = registry.register('next', competitor);
    for (let review = 0; review < honestReviews; review += 1) {
      registry.pass(HOUR_MS);
      registry.review(honest.nextReviewer(), agent, honestOpinion(quality, random));
    }
    const purse = new Purse(registry, budget);
    const { colluders, proxies } = prepare(registry, honest, purse, strategy);
    registry.pass(strategy.restDays * DAY_MS);
    const watched = isAboutNext ? next : agent;
    const before = registry.score(watched);
    let lowest = before;
    const slanderers = [...colluders.flat(), ...proxies];
    for (let round = 0; round < strategy.rounds && !purse.isEmpty; round += 1) {
      reviewInTurn(registry, purse, slanderers, agent, { rounds: 1, opinion: worst });
      lowest = Math.min(lowest, registry.score(watched));
      for (let day = 0; day < strategy.daysBetween; day += 1) {
        registry.pass(honestEachMs);
        registry.review(honest.nextReviewer(), agent, honestOpinion(quality, random));
      }
      praiseEachOther(registry, purse, colluders, strategy.mutualRoundsBetween);
    }
    const { spent, services } = purse;
    return { gain: before - lowest, spent, services };
  });

export const slanderGoals: readonly Goal[] = [
  slander(
    {
      name: 'slander',
      title: 'Bad reviews of an agent of quality 0.95 with 40 honest reviews',
      gain: 'points that it falls',
    },
    false,
  ),
  slander(
    {
      name: 'stain',
      title: "Bad reviews that lower where the organisation's next agent begins",
      gain: 'points below 75',
    },
    true,
  ),
];
