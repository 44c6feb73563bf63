import { badMouthed } from '../attacks/bad-mouthing.ts';
import { lived } from '../attacks/honest-population.ts';
import { turned } from '../attacks/on-off.ts';
import { oscillation } from '../attacks/oscillation.ts';
import { reviewsUntilBelow } from '../attacks/attack.ts';
import { honestOpinion, perfect, registerAttackers, registerHonestDomains, worst } from '../market.ts';
import { DAY_MS, HOUR_MS, SimulatedRegistry } from '../simulated-registry.ts';
import { type AttackV2, atLeast, atMost, below, exactly, row } from './attack-v2.ts';
import { praise, victimsOf } from './rings.ts';
import type { ControlNameV2 } from './scoring-v2.ts';

const organisationOf = (name: string) => ({ orgId: name, orgDomain: name });

/** An organisation burns forty fresh agents. */
const minting = (
  name: string,
  title: string,
  limit: number,
  options: { wanted?: number; isEstablished?: boolean; goodReviews?: number; colluders?: number },
): AttackV2 =>
  row(name, title, { control: 'no record', gates: { victims: atMost(limit) } }, (newScoring, random) => {
    const { wanted = 70, isEstablished = true, goodReviews = 0, colluders = 0 } = options;
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random, 8, isEstablished);
    const ring = registerAttackers(registry, colluders, 10);
    const agents = Array.from({ length: 40 }, (_, index) =>
      registry.register(`minted.test/${index}`, organisationOf('minted.test')),
    );
    const [first = ''] = agents;
    for (let review = 0; review < goodReviews; review += 1) {
      registry.pass(HOUR_MS);
      registry.review(honest.nextReviewer(), first, perfect);
    }
    let victims = 0;
    for (const agent of agents.slice(goodReviews > 0 ? 1 : 0)) {
      victims += victimsOf(registry, honest, agent, { wanted });
      if (colluders > 0) praise(registry, ring, agent, 1);
    }
    return { victims };
  });

/** An agent is good for 300 days, then bad. */
const exitScam = (organisation: string | null): AttackV2 =>
  row(
    `exit-scam-${organisation === null ? 'nobody' : 'organisation'}`,
    `300 days good, then bad: ${organisation === null ? 'an unaffiliated agent' : "an organisation's agent"}`,
    { control: 'plain mean', gates: { 'bad reviews until below 50': atMost(13) } },
    (newScoring, random) => {
      const registry = new SimulatedRegistry(newScoring());
      const honest = registerHonestDomains(registry, random);
      const target = registry.register('target', organisation === null ? null : organisationOf(organisation));
      for (let day = 0; day < 300; day += 1) {
        registry.pass(DAY_MS);
        registry.review(honest.nextReviewer(), target, perfect);
      }
      const scores = Array.from({ length: 60 }, () => {
        registry.pass(HOUR_MS);
        registry.review(honest.nextReviewer(), target, worst);
        return registry.score(target);
      });
      return { 'bad reviews until below 50': reviewsUntilBelow(50, scores) };
    },
  );

const onOffCovered = row(
  'on-off-covered',
  '100 good reviews, then bad ones, which five praising colluders cover',
  { control: 'plain mean', gates: { 'bad reviews until below 50': atMost(12) } },
  (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random);
    const ring = registerAttackers(registry, 5, 10);
    const target = registry.register('target', organisationOf('target.test'));
    for (let review = 0; review < 100; review += 1) {
      registry.pass(HOUR_MS);
      registry.review(honest.nextReviewer(), target, perfect);
    }
    const scores = Array.from({ length: 60 }, (_, index) => {
      registry.pass(HOUR_MS);
      for (const agents of ring) registry.review(agents[index % agents.length] ?? '', target, perfect);
      registry.review(honest.nextReviewer(), target, worst);
      return registry.score(target);
    });
    return { 'bad reviews until below 50': reviewsUntilBelow(50, scores) };
  },
);

const onOff = (
  name: string,
  title: string,
  limits: readonly [below70: number, below50: number],
  options: Parameters<typeof turned>[0],
  control: ControlNameV2 = 'plain mean',
): AttackV2 =>
  row(
    name,
    title,
    {
      control,
      gates: { 'bad reviews until below 70': atMost(limits[0]), 'bad reviews until below 50': atMost(limits[1]) },
    },
    (newScoring, random) => {
      const [first, second] = turned(options)(newScoring, random).figures;
      return {
        'bad reviews until below 70': first?.value ?? Number.NaN,
        'bad reviews until below 50': second?.value ?? Number.NaN,
      };
    },
  );

const badMouthing = (name: string, restMs: number, control: ControlNameV2): AttackV2 =>
  row(
    name,
    `Bad-mouthing by one organisation${restMs > 0 ? ' after 91 days of rest' : ''}`,
    { control, gates: { fall: atMost(20) } },
    (newScoring, random) => ({ fall: badMouthed(newScoring(), random, restMs).fall }),
  );

/** New organisations slander a newcomer of another; then it registers one more agent. */
const slander = (slanderers: number, gates: { score: number | null; next: number }): AttackV2 =>
  row(
    `slander-newcomer-by-${slanderers}`,
    `${slanderers} new organisations slander a newcomer, 10 agents each`,
    {
      control: 'no cap',
      gates: {
        'its score': gates.score === null ? null : atLeast(gates.score),
        'the next agent of its organisation': slanderers === 1 ? null : atLeast(gates.next),
      },
    },
    (newScoring) => {
      const registry = new SimulatedRegistry(newScoring());
      const attackers = registerAttackers(registry, slanderers, 10);
      const target = registry.register('target', organisationOf('target.test'));
      for (let round = 0; round < 3; round += 1) {
        for (const agent of attackers.flat()) registry.review(agent, target, worst);
        registry.pass(HOUR_MS);
      }
      const next = registry.register('next', organisationOf('target.test'));
      return { 'its score': registry.score(target), 'the next agent of its organisation': registry.score(next) };
    },
  );

const nextAfterSlander: AttackV2 = {
  ...slander(1, { score: null, next: 75 }),
  name: 'slander-newcomer-next',
  control: null,
  run: (newScoring, random) => {
    const { figures, tracks } = slander(1, { score: null, next: 75 }).run(newScoring, random);
    return { figures: figures.slice(1).map((figure) => ({ ...figure, gate: exactly(75) })), tracks };
  },
};

/** An agent of quality 0.9 with a few customers. */
const fewCustomers = (
  name: string,
  title: string,
  customers: { count: number; isEstablished: boolean; isOneReviewer?: boolean; organisation?: string },
  options: Parameters<typeof row>[2],
): AttackV2 =>
  row(name, title, options, (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const { count, isEstablished, isOneReviewer = false, organisation } = customers;
    const honest = registerHonestDomains(registry, random, count, isEstablished);
    const target = registry.register('target', organisation === undefined ? null : organisationOf(organisation));
    const reviewers = Array.from({ length: count }, (_, index) => honest.reviewerOf(index));
    const scores = Array.from({ length: 60 }, (_, index) => {
      registry.pass(HOUR_MS);
      const reviewer = isOneReviewer ? (reviewers[index % count] ?? '') : honest.nextReviewer();
      registry.review(reviewer, target, honestOpinion(0.9, random));
      return registry.score(target);
    });
    const reached = scores.findIndex((score) => score >= 70);
    return {
      'score after 60 reviews': scores.at(-1) ?? 0,
      'reviews until 70': reached === -1 ? Number.POSITIVE_INFINITY : reached + 1,
    };
  });

/** An organisation of fifty agents, two of them bad, registers another. */
const platform = row(
  'platform',
  'A platform with 2 bad agents of 50 registers a newcomer',
  { gates: { 'score of the newcomer': atLeast(70) } },
  (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random);
    const agents = Array.from({ length: 50 }, (_, index) =>
      registry.register(`platform/${index}`, organisationOf('platform.test')),
    );
    for (let round = 0; round < 10; round += 1) {
      for (const agent of random.shuffled(agents)) {
        registry.pass(HOUR_MS);
        const quality = agent === agents[0] || agent === agents[1] ? 0.15 : 0.85;
        registry.review(honest.nextReviewer(), agent, honestOpinion(quality, random));
      }
    }
    return { 'score of the newcomer': registry.score(registry.register('newcomer', organisationOf('platform.test'))) };
  },
);

const populationGates = [atLeast(0.95), atLeast(85), atMost(5), exactly(0)];
const population: AttackV2 = {
  name: 'population',
  title: 'Honest population: 20 organisations, 40 unaffiliated agents, 4000 reviews',
  control: null,
  marks: [],
  run: (newScoring, random) => {
    const { figures } = lived(newScoring(), random, honestOpinion);
    return {
      figures: figures.map((figure, index) => ({ ...figure, gate: populationGates[index] ?? null })),
      tracks: [],
    };
  },
};

export const otherRows: readonly AttackV2[] = [
  minting('minting', 'An organisation burns 40 fresh agents, customers want 70', 3, {}),
  minting('minting-after-good', 'The same after 100 good reviews of one of them', 10, { goodReviews: 100 }),
  minting('minting-at-50', 'The same, customers want 50, nobody is established', 8, {
    wanted: 50,
    isEstablished: false,
  }),
  minting('minting-with-colluders', 'The same, three colluders praise in between', 5, { colluders: 3 }),
  onOff('on-off', '100 good reviews, then only bad', [6, 12], {}),
  onOff('on-off-20', 'The same with 20 organisations', [7, 12], { domainCount: 20 }, 'recent without limit'),
  onOff(
    'on-off-mild',
    'The same, where bad means quality 0.1',
    [7, 12],
    { bad: (random) => honestOpinion(0.1, random) },
    'plain mean',
  ),
  onOffCovered,
  exitScam(null),
  exitScam('target.test'),
  row(
    'oscillation',
    'Oscillation, 30 percent bad',
    { control: 'plain mean', gates: { 'mean score': below(70) } },
    (newScoring, random) => ({ 'mean score': oscillation.run(newScoring, random).figures[0]?.value ?? Number.NaN }),
  ),
  badMouthing('bad-mouthing', 0, 'plain mean'),
  badMouthing('bad-mouthing-after-a-rest', 91 * DAY_MS, 'fast fall by one root'),
  slander(1, { score: 60, next: 75 }),
  nextAfterSlander,
  slander(2, { score: null, next: 65 }),
  slander(3, { score: null, next: 60 }),
  fewCustomers(
    'few-customers-3',
    'An unaffiliated agent of quality 0.9, three established customers, one reviewer each',
    { count: 3, isEstablished: true, isOneReviewer: true },
    { control: 'no third voice', gates: { 'score after 60 reviews': atLeast(70), 'reviews until 70': atMost(20) } },
  ),
  fewCustomers(
    'few-customers-7-new',
    'The same, seven that are not established',
    { count: 7, isEstablished: false },
    { gates: { 'score after 60 reviews': atLeast(68) } },
  ),
  fewCustomers(
    'few-customers-9-new',
    'The same, nine that are not established',
    { count: 9, isEstablished: false },
    { gates: { 'reviews until 70': atMost(20) } },
  ),
  fewCustomers(
    'few-customers-organisation',
    "The same, an organisation's agent with three customers",
    { count: 3, isEstablished: true, organisation: 'target.test' },
    { gates: { 'reviews until 70': atMost(2) } },
  ),
  platform,
  population,
];
