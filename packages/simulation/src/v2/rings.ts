import type { Gate } from '../attacks/attack.ts';
import { ringThatMeetsHonest } from '../attacks/ring.ts';
import { seededSybils } from '../attacks/seeded-sybils.ts';
import { sybilFarm } from '../attacks/sybil-farm.ts';
import { establish, type HonestDomains, perfect, registerAttackers, registerHonestDomains, worst } from '../market.ts';
import { HOUR_MS, SimulatedRegistry } from '../simulated-registry.ts';
import { type AttackV2, atMost, below, exactly, row } from './attack-v2.ts';

const trusted = 70;
const customersMax = 60;

/** Customers that want a score of 70 come one after the other, are cheated, and say so. Returns how many dealt with the target. */
export function victimsOf(
  registry: SimulatedRegistry,
  honest: HonestDomains,
  target: string,
  { wanted = trusted, count = customersMax }: { wanted?: number; count?: number } = {},
): number {
  let victims = 0;
  for (let customer = 0; customer < count && registry.score(target) >= wanted; customer += 1) {
    registry.pass(HOUR_MS);
    victims += 1;
    registry.review(honest.nextReviewer(), target, worst);
  }
  return victims;
}

/** All agents of some organisations praise an agent, in some rounds. */
export function praise(registry: SimulatedRegistry, domains: readonly string[][], target: string, rounds = 3): void {
  for (let round = 0; round < rounds; round += 1) {
    for (const agent of domains.flat()) registry.review(agent, target, perfect);
    registry.pass(HOUR_MS);
  }
}

const ringOf = (organisations: number, hasGate = true): AttackV2 =>
  row(
    `ring-of-${organisations}`,
    `Ring of ${organisations} new organisations, 10 agents each, 100 rounds of 10/10`,
    { control: hasGate ? 'no cap' : null, gates: { 'highest score of the target': hasGate ? below(trusted) : null } },
    (newScoring, random) => ({
      'highest score of the target': Math.max(...ringThatMeetsHonest(newScoring(), random, organisations, 1).lifted),
    }),
  );

const ringMeetsHonest = (organisations: number, limit: number, victims: Gate | null): AttackV2 =>
  row(
    `ring-of-${organisations}-meets-honest`,
    `The target of a ring of ${organisations} then meets 8 honest organisations (quality 0.1)`,
    { gates: { 'honest reviews until below 50': atMost(limit), 'victims that want 70': victims } },
    (newScoring, random) => {
      const { lifted, scores, untilBelow50 } = ringThatMeetsHonest(newScoring(), random, organisations, customersMax);
      const met = [lifted.at(-1) ?? 0, ...scores.slice(0, -1)];
      return {
        'honest reviews until below 50': untilBelow50,
        'victims that want 70': met.filter((score) => score >= trusted).length,
      };
    },
  );

const domainMinting = row(
  'domain-minting',
  'Ring of one organisation under 5 domains',
  { control: 'root = domain', gates: { 'highest score of the target': atMost(52) } },
  (newScoring) => {
    const registry = new SimulatedRegistry(newScoring());
    const agents = Array.from({ length: 50 }, (_, index) => {
      const domain = `d${index % 5}.test`;
      return registry.register(`mint@${domain}/${index}`, { orgId: 'mint', orgDomain: domain });
    });
    const target = registry.register('target');
    let peak = 0;
    for (let round = 0; round < 20; round += 1) {
      praise(registry, [agents], target, 1);
      peak = Math.max(peak, registry.score(target));
    }
    return { 'highest score of the target': peak };
  },
);

/** Established organisations lift one target after the other; each cheats customers until it is found out. */
const serialRing = (organisations: number, limit: number, isAdopted = false): AttackV2 =>
  row(
    `serial-ring-of-${organisations}${isAdopted ? '-adopted' : ''}`,
    `${organisations} established organisations lift 10 targets, one after the other${isAdopted ? ', which are adopted before they cheat' : ''}`,
    { control: 'nobody answers', gates: { victims: atMost(limit) } },
    (newScoring, random) => {
      const registry = new SimulatedRegistry(newScoring());
      const honest = registerHonestDomains(registry, random);
      const ring = registerAttackers(registry, organisations, 10);
      establish(
        registry,
        ring.map((_, index) => `attacker-${index + 1}.test`),
      );
      let victims = 0;
      for (let number = 0; number < 10; number += 1) {
        const target = registry.register(`target-${number}`);
        praise(registry, ring, target);
        if (isAdopted) registry.adopt(target, `adopter-${number}.test`);
        victims += victimsOf(registry, honest, target);
      }
      return { victims };
    },
  );

/** Three new organisations praise the agents of one that burns them. */
const burntRing = row(
  'burnt-ring',
  'Ten agents of one organisation cheat, each praised by three new organisations',
  { control: 'new roots have 20 percent', gates: { victims: atMost(8) } },
  (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random);
    const ring = registerAttackers(registry, 3, 10);
    let victims = 0;
    for (let number = 0; number < 10; number += 1) {
      const target = registry.register(`burnt/${number}`, { orgId: 'burnt.test', orgDomain: 'burnt.test' });
      praise(registry, ring, target);
      victims += victimsOf(registry, honest, target);
    }
    return { victims };
  },
);

export const ringRows: readonly AttackV2[] = [
  { ...sybilFarm, control: null },
  { ...seededSybils, control: 'no cap' },
  ...[1, 2, 3, 4, 5].map((organisations) => ringOf(organisations)),
  ringOf(6, false),
  domainMinting,
  ...(
    [
      [1, 2, null],
      [2, 7, null],
      [3, 7, null],
      [5, 10, exactly(0)],
    ] as const
  ).map(([organisations, limit, victims]) => ringMeetsHonest(organisations, limit, victims)),
  serialRing(3, 12),
  serialRing(3, 12, true),
  serialRing(5, 18),
  burntRing,
];
