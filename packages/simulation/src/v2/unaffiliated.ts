import { perfect, registerHonestDomains, worst } from '../market.ts';
import type { SeededRandom } from '../random/seeded-random.ts';
import { HOUR_MS, SimulatedRegistry } from '../simulated-registry.ts';
import { type AttackV2, atLeast, atMost, exactly, row } from './attack-v2.ts';
import { victimsOf } from './rings.ts';

const honestNames = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `honest-${index + 1}.test`);

/** The lowest record of organisations, as the score of one more agent of each. */
const lowestRecord = (registry: SimulatedRegistry, names: readonly string[]): number =>
  Math.min(...names.map((orgId) => registry.score(registry.register(`${orgId}/last`, { orgId, orgDomain: orgId }))));

/** Unaffiliated agents whom honest organisations raised by some good services each. */
const proxiesOf = (
  registry: SimulatedRegistry,
  nextReviewer: () => string,
  { count, services }: { count: number; services: number },
): string[] =>
  Array.from({ length: count }, (_, index) => {
    const proxy = registry.register(`proxy-${index}`);
    for (let service = 0; service < services; service += 1) {
      registry.pass(HOUR_MS);
      registry.review(nextReviewer(), proxy, perfect);
    }
    return proxy;
  });

const laundering = row(
  'laundering',
  'Unaffiliated proxies that honest organisations raised lift targets',
  {
    gates: {
      'peak of a target, 5 proxies, 4 good services each': null,
      'victims of 10 targets, 10 proxies, 5 services each': null,
      'lowest record of the honest': exactly(75),
    },
  },
  (newScoring, random) => {
    const few = new SimulatedRegistry(newScoring());
    const proxies = proxiesOf(few, registerHonestDomains(few, random).nextReviewer, { count: 5, services: 4 });
    const target = few.register('target');
    let peak = 0;
    for (let round = 0; round < 10; round += 1) {
      for (const proxy of proxies) few.review(proxy, target, perfect);
      few.pass(HOUR_MS);
      peak = Math.max(peak, few.score(target));
    }
    const many = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(many, random);
    const ten = proxiesOf(many, honest.nextReviewer, { count: 10, services: 5 });
    let victims = 0;
    for (let number = 0; number < 10; number += 1) {
      const lifted = many.register(`target-${number}`);
      for (let round = 0; round < 5; round += 1) for (const proxy of ten) many.review(proxy, lifted, perfect);
      victims += victimsOf(many, honest, lifted);
    }
    return {
      'peak of a target, 5 proxies, 4 good services each': peak,
      'victims of 10 targets, 10 proxies, 5 services each': victims,
      'lowest record of the honest': lowestRecord(many, honestNames(8)),
    };
  },
);

const proxySlander = row(
  'proxy-slander',
  'Ten unaffiliated proxies slander an agent of an organisation',
  { gates: { fall: null, 'the next agent of its organisation': exactly(75) } },
  (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random);
    const proxies = proxiesOf(registry, honest.nextReviewer, { count: 10, services: 5 });
    const organisation = { orgId: 'target.test', orgDomain: 'target.test' };
    const target = registry.register('target', organisation);
    for (let review = 0; review < 40; review += 1) {
      registry.pass(HOUR_MS);
      registry.review(honest.nextReviewer(), target, perfect);
    }
    const before = registry.score(target);
    for (let round = 0; round < 5; round += 1) for (const proxy of proxies) registry.review(proxy, target, worst);
    return {
      fall: before - registry.score(target),
      'the next agent of its organisation': registry.score(registry.register('next', organisation)),
    };
  },
);

/** Some unaffiliated agents serve honest organisations well, then cheat others. */
const whitewashed = (registry: SimulatedRegistry, random: SeededRandom, agents: number, raisers: number): string[] => {
  const names = honestNames(12);
  const honest = registerHonestDomains(registry, random, 12);
  for (let number = 0; number < agents; number += 1) {
    const agent = registry.register(`whitewasher-${number}`);
    for (let service = 0; service < 8; service += 1) {
      registry.pass(HOUR_MS);
      registry.review(raisers === 12 ? honest.nextReviewer() : honest.reviewerOf(service % raisers), agent, perfect);
    }
    if (raisers === 12) victimsOf(registry, honest, agent);
    for (let fraud = 0; raisers < 12 && fraud < 5; fraud += 1) {
      registry.pass(HOUR_MS);
      registry.review(honest.reviewerOf(raisers + (fraud % (12 - raisers))), agent, worst);
    }
  }
  return names;
};

const whitewashers = row(
  'whitewashers',
  '30 unaffiliated agents serve 12 honest organisations well, then cheat them',
  { gates: { 'lowest record of the honest': exactly(75), 'honest that lose their standing': exactly(0) } },
  (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const names = whitewashed(registry, random, 30, 12);
    return {
      'honest that lose their standing': names.filter((name) => !registry.isEstablished(name)).length,
      'lowest record of the honest': lowestRecord(registry, names),
    };
  },
);

const sponsorsOfTen = row(
  'sponsors-of-ten',
  'Three honest organisations alone raised ten scammers',
  { gates: { 'lowest record of the three': exactly(75), 'honest that lose their standing, of 3': null } },
  (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const names = whitewashed(registry, random, 10, 3).slice(0, 3);
    return {
      'honest that lose their standing, of 3': names.filter((name) => !registry.isEstablished(name)).length,
      'lowest record of the three': lowestRecord(registry, names),
    };
  },
);

/** An unaffiliated agent earns a good name by services, then cheats, and begins anew under another. */
const nobodyWhitewash = row(
  'nobody-whitewash',
  'An unaffiliated agent serves well, cheats until found out, and begins anew',
  // The gate of the policy's text is 0.27. This play misses it for every seed, after 12 services.
  { gates: { 'victims for each good service': null } },
  (newScoring, random) => {
    const rates = [12, 20, 28, 36, 44].map((services) => {
      const registry = new SimulatedRegistry(newScoring());
      const honest = registerHonestDomains(registry, random);
      const [agent = ''] = proxiesOf(registry, honest.nextReviewer, { count: 1, services });
      return victimsOf(registry, honest, agent) / services;
    });
    return { 'victims for each good service': Math.max(...rates) };
  },
);

/** Each fraud by a fresh agent of one organisation comes after honest services of others of it. */
const dilutedMinting = (services: number, limit: number | null): AttackV2 =>
  row(
    `diluted-minting-${services}`,
    `An organisation serves well ${services} times for each fraud by a fresh agent`,
    {
      control: limit === null ? null : 'no record',
      gates: { '% of frauds that find a victim': limit === null ? null : atMost(limit) },
    },
    (newScoring, random) => {
      const registry = new SimulatedRegistry(newScoring());
      const honest = registerHonestDomains(registry, random);
      const frauds = 60;
      let found = 0;
      for (let number = 0; number < frauds; number += 1) {
        for (let service = 0; service < services; service += 1) {
          const good = registry.register(`minted.test/good-${number}-${service}`, {
            orgId: 'minted.test',
            orgDomain: 'minted.test',
          });
          registry.pass(HOUR_MS);
          registry.review(honest.nextReviewer(), good, perfect);
        }
        const fraud = registry.register(`minted.test/${number}`, { orgId: 'minted.test', orgDomain: 'minted.test' });
        found += victimsOf(registry, honest, fraud, { count: 1 });
      }
      return { '% of frauds that find a victim': (100 * found) / frauds };
    },
  );

/** Organisations that were content with an agent which then cheats others. */
const sponsors = row(
  'sponsors',
  'Eight honest organisations were content with a scammer',
  { gates: { 'lowest prior of their next agents': atLeast(75) } },
  (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random);
    const [scammer = ''] = proxiesOf(registry, honest.nextReviewer, { count: 1, services: 40 });
    victimsOf(registry, honest, scammer);
    return { 'lowest prior of their next agents': lowestRecord(registry, honestNames(8)) };
  },
);

export const unaffiliatedRows: readonly AttackV2[] = [
  laundering,
  proxySlander,
  whitewashers,
  sponsorsOfTen,
  sponsors,
  nobodyWhitewash,
  dilutedMinting(1, 50),
  dilutedMinting(3, null),
  dilutedMinting(9, null),
];
