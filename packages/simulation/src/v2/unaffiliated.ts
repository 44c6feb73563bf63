import { type HonestDomains, honestOpinion, perfect, registerHonestDomains, worst } from '../market.ts';
import type { SeededRandom } from '../random/seeded-random.ts';
import { type Opinion, SimulatedRegistry } from '../simulated-registry.ts';
import {
  atMost,
  type AttackV2,
  type CaseV2,
  exactly,
  missedFor,
  played,
  promise,
  type PromiseV2,
  trusted,
} from './attack-v2.ts';
import { cheat, organisation, reviewInRounds, serve } from './moves.ts';

const goodQuality = 0.95;
const badQuality = 0.1;
/** Of the gate table, where a play misses a gate for each of them. */
const allSeeds = Array.from({ length: 20 }, (_, index) => index + 1);

const registerServing = (
  registry: SimulatedRegistry,
  honest: HonestDomains,
  { count, services, opinion }: { count: number; services: number; opinion?: () => Opinion },
): string[] =>
  Array.from({ length: count }, (_, index) => {
    const proxy = registry.register(`proxy-${index}`);
    serve(registry, honest.nextReviewer, proxy, services, opinion === undefined ? {} : { opinion });
    return proxy;
  });

/** The lowest record of organisations, as the score of one more agent of each. */
const lowestRecord = (registry: SimulatedRegistry, names: readonly string[]): number =>
  Math.min(...names.map((name) => registry.score(registry.register(`${name}/last`, organisation(name)))));

const laundering: AttackV2 = {
  name: 'laundering',
  title: 'Unaffiliated proxies that honest organisations raised lift targets',
  steps: 'praise in rounds, then customers',
  marks: [trusted],
  cases: [
    {
      label: '5 proxies, 4 good services each',
      figures: { peak: null },
      play: (newScoring, random) => {
        const registry = new SimulatedRegistry(newScoring());
        const honest = registerHonestDomains(registry, random);
        const proxies = registerServing(registry, honest, { count: 5, services: 4 });
        const target = registry.register('target');
        const scores = [registry.score(target)];
        reviewInRounds(registry, [proxies], target, { rounds: 10, scores });
        return played({ peak: Math.max(...scores) }, scores);
      },
    },
    {
      label: '10 proxies, 5 services each',
      figures: { 'victims of 10 targets': null, 'lowest record of the honest': promise(exactly(75)) },
      play: (newScoring, random) => {
        const registry = new SimulatedRegistry(newScoring());
        const honest = registerHonestDomains(registry, random);
        const proxies = registerServing(registry, honest, { count: 10, services: 5 });
        const scores: (number | null)[] = [];
        let victims = 0;
        for (let number = 0; number < 10; number += 1) {
          const target = registry.register(`target-${number}`);
          reviewInRounds(registry, [proxies], target, { rounds: 5, scores });
          victims += cheat(registry, honest.nextReviewer, target, { scores });
          scores.push(null);
        }
        const record = lowestRecord(registry, honest.names);
        return played({ 'victims of 10 targets': victims, 'lowest record of the honest': record }, scores);
      },
    },
  ],
};

const proxySlander: AttackV2 = {
  name: 'proxy-slander',
  title: 'Ten unaffiliated proxies, raised by 5 good services each, slander an agent of an organisation',
  steps: 'good reviews, then slander in rounds',
  marks: [trusted],
  cases: [3, 5].map((rounds) => ({
    label: `${rounds} rounds`,
    figures: {
      'fall after 40 good reviews': null,
      'next agent of a new organisation': promise(exactly(75), "records with raisers' roots"),
    },
    play: (newScoring, random) => {
      const registry = new SimulatedRegistry(newScoring());
      const honest = registerHonestDomains(registry, random);
      const proxies = registerServing(registry, honest, { count: 10, services: 5 });
      const target = registry.register('target', organisation('target.test'));
      const scores = [registry.score(target)];
      const opinion = (): Opinion => honestOpinion(goodQuality, random);
      serve(registry, honest.nextReviewer, target, 40, { opinion, scores });
      const before = registry.score(target);
      reviewInRounds(registry, [proxies], target, { rounds, opinion: worst, scores });
      const newcomer = registry.register('newcomer', organisation('new.test'));
      reviewInRounds(registry, [proxies], newcomer, { rounds, opinion: worst });
      const next = registry.score(registry.register('next', organisation('new.test')));
      const fall = before - registry.score(target);
      return played({ 'fall after 40 good reviews': fall, 'next agent of a new organisation': next }, scores);
    },
  })),
};

/** How many of the organisations are not established any more; none where nobody needs to be. */
const withoutStanding = (registry: SimulatedRegistry, names: readonly string[]): number =>
  registry.hasStanding ? names.filter((name) => !registry.isEstablished(name)).length : 0;

/** Honest organisations that are customers of the whitewashers. */
const whitewashed = 12;
const whoeverComes = (honest: HonestDomains): (() => string) => honest.nextReviewer;

/** Unaffiliated agents serve some honest organisations well, cheat others until they are found out, and are not seen again. */
const whitewashersCase = (
  label: string,
  services: number,
  promises: { record: PromiseV2; standing: PromiseV2 },
  customersOf: (honest: HonestDomains, random: SeededRandom) => () => string,
): CaseV2 => ({
  label,
  figures: {
    'lowest record of the honest': promises.record,
    'honest that lose their standing': promises.standing,
  },
  play: (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random, whitewashed);
    const scores: (number | null)[] = [];
    for (let number = 0; number < 30; number += 1) {
      const agent = registry.register(`whitewasher-${number}`);
      serve(registry, customersOf(honest, random), agent, services, { scores });
      cheat(registry, honest.nextReviewer, agent, { scores });
      scores.push(null);
    }
    const values = {
      'honest that lose their standing': withoutStanding(registry, honest.names),
      'lowest record of the honest': lowestRecord(registry, honest.names),
    };
    return played(values, scores);
  },
});

const whitewashers: AttackV2 = {
  name: 'whitewashers',
  title: `30 unaffiliated agents serve ${whitewashed} honest organisations well, then cheat them`,
  steps: 'services and frauds of one agent after the other',
  marks: [trusted],
  cases: [
    whitewashersCase(
      '12 services each, for whoever comes',
      12,
      {
        record: promise(exactly(75), 'every raiser answers, with the prior'),
        standing: missedFor(allSeeds, promise(exactly(0), 'every raiser answers')),
      },
      whoeverComes,
    ),
    whitewashersCase(
      '12 services each, one for each organisation',
      12,
      { record: null, standing: null },
      (honest, random) => {
        const chosen = random.shuffled(honest.names.map((_, index) => index));
        return () => honest.reviewerOf(chosen.pop() ?? 0);
      },
    ),
    whitewashersCase('8 services each, for whoever comes', 8, { record: null, standing: null }, whoeverComes),
  ],
};

const sponsorsOfTen: AttackV2 = {
  name: 'sponsors-of-ten',
  title: 'Three honest organisations alone raised ten scammers, which then cheat five others each',
  steps: 'services and frauds of one scammer after the other',
  marks: [trusted],
  cases: [
    {
      label: '3 honest that raised ten scammers',
      figures: {
        'lowest record': promise(exactly(75), 'answering with the prior'),
        'honest that lose their standing': null,
      },
      play: (newScoring, random) => {
        const registry = new SimulatedRegistry(newScoring());
        const honest = registerHonestDomains(registry, random, 12);
        const sponsors = honest.names.slice(0, 3);
        const scores: (number | null)[] = [];
        for (let number = 0; number < 10; number += 1) {
          const scammer = registry.register(`scammer-${number}`);
          let [served, cheated] = [0, 0];
          serve(registry, () => honest.reviewerOf(served++ % sponsors.length), scammer, 8, { scores });
          // They deal with it whatever its score is.
          const nextVictim = (): string => honest.reviewerOf(sponsors.length + (cheated++ % 9));
          cheat(registry, nextVictim, scammer, { wanted: 0, count: 5, scores });
          scores.push(null);
        }
        const values = {
          'honest that lose their standing': withoutStanding(registry, sponsors),
          'lowest record': lowestRecord(registry, sponsors),
        };
        return played(values, scores);
      },
    },
  ],
};

const sponsors: AttackV2 = {
  name: 'sponsors',
  title: 'Eight honest organisations were content with a scammer',
  steps: 'good services, then frauds',
  marks: [trusted],
  cases: [
    {
      label: '8 honest that were content with a scammer',
      figures: { 'lowest prior of their next agents': promise(exactly(75)) },
      play: (newScoring, random) => {
        const registry = new SimulatedRegistry(newScoring());
        const honest = registerHonestDomains(registry, random);
        const scammer = registry.register('scammer');
        const scores = [registry.score(scammer)];
        serve(registry, honest.nextReviewer, scammer, 40, { scores });
        cheat(registry, honest.nextReviewer, scammer, { scores });
        return played({ 'lowest prior of their next agents': lowestRecord(registry, honest.names) }, scores);
      },
    },
  ],
};

const identities = 10;

/** An unaffiliated agent earns a good name by services, cheats until it is found out, and begins anew under another name. */
const whitewashCase = (
  label: string,
  rate: PromiseV2,
  opinions: { good: (random: SeededRandom) => Opinion; bad: (random: SeededRandom) => Opinion },
): CaseV2 => ({
  label,
  figures: { 'victims for each good service, best of 12, 20, 28, 36, 44': rate },
  play: (newScoring, random) => {
    const tracks = [12, 20, 28, 36, 44].map((services) => {
      const registry = new SimulatedRegistry(newScoring());
      const honest = registerHonestDomains(registry, random);
      const scores: (number | null)[] = [];
      let victims = 0;
      for (let identity = 0; identity < identities; identity += 1) {
        const agent = registry.register(`nobody-${identity}`);
        serve(registry, honest.nextReviewer, agent, services, { opinion: () => opinions.good(random), scores });
        victims += cheat(registry, honest.nextReviewer, agent, { opinion: () => opinions.bad(random), scores });
        scores.push(null);
      }
      return { label: `${services} services`, scores, rate: victims / (identities * services) };
    });
    return {
      values: {
        'victims for each good service, best of 12, 20, 28, 36, 44': Math.max(...tracks.map((track) => track.rate)),
      },
      tracks: tracks.slice(0, 1),
    };
  },
});

const nobodyWhitewash: AttackV2 = {
  name: 'nobody-whitewash',
  title: 'An unaffiliated agent serves well, cheats until found out, and begins anew, ten times',
  steps: 'services and frauds of one identity after the other',
  marks: [trusted],
  cases: [
    whitewashCase('services rated 10, frauds rated 1', missedFor(allSeeds, promise(atMost(0.27), 'plain mean')), {
      good: () => perfect,
      bad: () => worst,
    }),
    whitewashCase('services of quality 0.95, frauds of 0.1', null, {
      good: (random) => honestOpinion(goodQuality, random),
      bad: (random) => honestOpinion(badQuality, random),
    }),
  ],
};

/** Agents of nobody lend the voices of those who raised them, or throw their names away. */
export const unaffiliatedRows: readonly AttackV2[] = [
  laundering,
  proxySlander,
  whitewashers,
  sponsorsOfTen,
  sponsors,
  nobodyWhitewash,
];
