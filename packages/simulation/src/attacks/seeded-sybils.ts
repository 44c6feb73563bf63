import { perfect, registerAttackers } from '../market.ts';
import type { SeededRandom } from '../random/seeded-random.ts';
import { HOUR_MS, SimulatedRegistry } from '../simulated-registry.ts';
import type { Attack, Track } from './attack.ts';

const sybilCounts = [5, 20, 100];
const orgAgentCount = 10;
const rounds = 10;
/** Sybils that each sybil praises in a round; organisation's agents that praise each sybil in a round. */
const partnersPerRound = 4;
const seedersPerRound = 2;

/**
 * One organisation lifts agents that belong to nobody above the score that a reviewer needs; these lift each other and the target.
 * The organisation's own agents praise the target, too, and are praised by the sybils.
 */
export const seededSybils: Attack = {
  name: 'seeded-sybils',
  title: 'One organisation seeds 5, 20, 100 unaffiliated sybils, who boost each other and a target',
  control: 'roots switched off',
  steps: 'rounds',
  marks: [{ score: 52, label: 'at most 52' }],
  beyondTheTable: false,
  run: (newScoring, random) => {
    const tracks = sybilCounts.map((count) => boosted(new SimulatedRegistry(newScoring()), random, count));
    const figures = tracks.map(({ label, scores }) => ({
      label: `${label}: highest score of the target`,
      value: Math.max(...scores),
      gate: { relation: '<=', limit: 52 } as const,
    }));
    return { figures, tracks };
  },
};

/** The scores of the target of one organisation's sybils, round by round. */
export function boosted(
  registry: SimulatedRegistry,
  random: SeededRandom,
  count: number,
): Track & { scores: number[] } {
  const [seeders = []] = registerAttackers(registry, 1, orgAgentCount);
  const sybils = Array.from({ length: count }, (_, index) => registry.register(`sybil-${index + 1}`));
  const target = registry.register('target');
  const any = (agents: string[]): string => agents[random.below(agents.length)] ?? target;
  const scores = [registry.score(target)];
  for (let round = 0; round < rounds; round += 1) {
    for (const sybil of sybils) {
      for (let time = 0; time < seedersPerRound; time += 1) registry.review(any(seeders), sybil, perfect);
    }
    for (const sybil of random.shuffled(sybils)) {
      for (let time = 0; time < partnersPerRound; time += 1) registry.review(sybil, any(sybils), perfect);
      registry.review(sybil, any(seeders), perfect);
      registry.review(sybil, target, perfect);
    }
    for (const seeder of seeders) registry.review(seeder, target, perfect);
    registry.pass(HOUR_MS);
    scores.push(registry.score(target));
  }
  return { label: `${count} sybils`, scores };
}
