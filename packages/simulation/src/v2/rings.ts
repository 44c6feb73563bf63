import { boosted } from '../attacks/seeded-sybils.ts';
import { formRing, ringThatMeetsHonest } from '../attacks/ring.ts';
import { sybilFarm } from '../attacks/sybil-farm.ts';
import { registerAttackers } from '../market.ts';
import { SimulatedRegistry } from '../simulated-registry.ts';
import {
  atMost,
  type AttackV2,
  below,
  below50,
  exactly,
  played,
  promise,
  type PromiseV2,
  trusted,
} from './attack-v2.ts';
import { agentsPerOrganisation, customersMax, reviewInRounds, trustedFrom } from './moves.ts';

/** Of a ring's praise. Each further review of the same agent by the same reviewer halves what the one before it weighs, so more lift nothing. */
export const ringRounds = 20;

const organisations = (count: number): string => (count === 1 ? '1 organisation' : `${count} organisations`);

const sybils: AttackV2 = {
  ...sybilFarm,
  cases: [
    {
      label: '1000 sybils',
      figures: { 'reviews accepted': promise(exactly(0)), 'score of the target': promise(exactly(40)) },
      play: (newScoring, random) => {
        const { figures, tracks } = sybilFarm.run(newScoring, random);
        return played(Object.fromEntries(figures.map(({ label, value }) => [label, value])), tracks[0]?.scores ?? []);
      },
    },
  ],
};

const seededSybils: AttackV2 = {
  name: 'seeded-sybils',
  title: 'One organisation seeds unaffiliated sybils, who boost each other and a target',
  steps: 'rounds',
  marks: [{ score: 52, label: 'at most 52' }],
  cases: [5, 20, 100].map((count) => ({
    label: `${count} sybils`,
    figures: { peak: promise(atMost(52), 'no cap') },
    play: (newScoring, random) => {
      const { scores } = boosted(new SimulatedRegistry(newScoring()), random, count);
      return played({ peak: Math.max(...scores) }, scores);
    },
  })),
};

const ringPromise = (count: number): PromiseV2 => {
  if (count === 6) return null;
  const gate = below(trustedFrom);
  return count === 5 ? promise(gate, 'no cap', 'new roots have 20 percent') : promise(gate, 'no cap');
};

const ring: AttackV2 = {
  name: 'ring',
  title: `Ring of new organisations, 10 agents each, ${ringRounds} rounds of 10/10`,
  steps: 'reviews of the target by the ring',
  marks: [trusted],
  cases: [1, 2, 3, 4, 5, 6].map((count) => ({
    label: organisations(count),
    figures: { peak: ringPromise(count) },
    play: (newScoring, random) => {
      const registry = new SimulatedRegistry(newScoring());
      const attackers = registerAttackers(registry, count, agentsPerOrganisation);
      const { scores } = formRing(registry, random, attackers, ringRounds);
      return played({ peak: Math.max(...scores) }, scores);
    },
  })),
};

const ringMeetsHonest: AttackV2 = {
  name: 'ring-meets-honest',
  title: "The ring's target then meets 8 honest organisations (quality 0.1)",
  steps: 'honest reviews after the ring',
  marks: [trusted, below50],
  cases: (
    [
      [1, 2],
      [2, 7],
      [3, 7],
      [5, 10],
    ] as const
  ).map(([count, limit]) => ({
    label: organisations(count),
    figures: {
      'honest reviews until below 50': promise(atMost(limit), 'plain mean'),
      'victims at 70 or more': count === 5 ? promise(exactly(0), 'plain mean') : null,
    },
    play: (newScoring, random) => {
      const { scores, untilBelow50 } = ringThatMeetsHonest(newScoring(), random, count, customersMax, ringRounds);
      const met = scores.slice(0, -1);
      const victims = met.filter((score) => score >= trustedFrom).length;
      return played({ 'honest reviews until below 50': untilBelow50, 'victims at 70 or more': victims }, scores);
    },
  })),
};

const domainMinting: AttackV2 = {
  name: 'domain-minting',
  title: 'Ring of one organisation under 5 domains',
  steps: 'rounds',
  marks: [{ score: 52, label: 'at most 52' }],
  cases: [
    {
      label: '1 organisation under 5 domains',
      figures: { peak: promise(atMost(52), 'root = domain') },
      play: (newScoring) => {
        const registry = new SimulatedRegistry(newScoring());
        const agents = Array.from({ length: 5 * agentsPerOrganisation }, (_, index) => {
          const domain = `d${index % 5}.test`;
          return registry.register(`mint@${domain}/${index}`, { orgId: 'mint', orgDomain: domain });
        });
        const target = registry.register('target');
        const scores = [registry.score(target)];
        reviewInRounds(registry, [agents], target, { rounds: ringRounds, scores });
        return played({ peak: Math.max(...scores) }, scores);
      },
    },
  ],
};

/** Attackers whom nobody vouches for praise a target. */
export const ringRows: readonly AttackV2[] = [sybils, seededSybils, ring, domainMinting, ringMeetsHonest];
