import { honestOpinion, perfect, registerAttackers, registerHonestDomains, scoresOfReviewed } from '../market.ts';
import type { SeededRandom } from '../random/seeded-random.ts';
import type { Scoring } from '../scoring/scoring.ts';
import { MINUTE_MS, SimulatedRegistry } from '../simulated-registry.ts';
import { type Attack, reviewsUntilBelow } from './attack.ts';

const agentsPerDomain = 10;
const roundsByDefault = 100;
const roundMs = 10 * MINUTE_MS;
/** Of the ring's agents, how many the target praises in a round once it may. */
const thanksPerRound = 4;

/**
 * A ring of a few org domains lifts a target that belongs to nobody: one of theirs would start at 75, and then they might
 * not review it. In each round every agent praises the target and one of another domain, and the target praises them back.
 * Within hours, so that nothing has aged when the ring's work is put to the test.
 *
 * @returns the target and its score after each review of it.
 */
export function formRing(
  registry: SimulatedRegistry,
  random: SeededRandom,
  domains: readonly string[][],
  rounds: number = roundsByDefault,
): { target: string; scores: number[] } {
  const ring = domains.flat();
  const target = registry.register('target');
  const any = (agents: string[]): string => agents[random.below(agents.length)] ?? target;
  const scores = [registry.score(target)];
  for (let round = 0; round < rounds; round += 1) {
    for (const [domain, agents] of domains.entries()) {
      const others = domains.filter((_, other) => other !== domain).flat();
      for (const agent of agents) {
        if (others.length > 0) registry.review(agent, any(others), perfect);
      }
    }
    for (let time = 0; time < thanksPerRound; time += 1) registry.review(target, any(ring), perfect);
    for (const agent of random.shuffled(ring)) {
      registry.review(agent, target, perfect);
      scores.push(registry.score(target));
    }
    registry.pass(roundMs);
  }
  return { target, scores };
}

const newRing = (
  registry: SimulatedRegistry,
  random: SeededRandom,
  domainCount: number,
  rounds?: number,
): { target: string; scores: number[] } =>
  formRing(registry, random, registerAttackers(registry, domainCount, agentsPerDomain), rounds);

const labelOf = (domainCount: number): string => (domainCount === 1 ? '1 domain' : `${domainCount} domains`);

/** A few organisations praise a target of theirs without end. */
export const ring: Attack = {
  name: 'ring',
  title: 'Ring of 1 and 2 org domains, 10 agents each, 100 rounds of 10/10',
  control: 'cap switched off',
  steps: 'reviews of the target by the ring',
  marks: [{ score: 70, label: 'below 70' }],
  beyondTheTable: false,
  run: (newScoring, random) => {
    const tracks = [1, 2].map((domainCount) => {
      const { scores } = newRing(new SimulatedRegistry(newScoring()), random, domainCount);
      return { label: labelOf(domainCount), scores };
    });
    const figures = tracks.map(({ label, scores }) => ({
      label: `${label}: highest score of the target`,
      value: Math.max(...scores),
      gate: { relation: '<', limit: 70 } as const,
    }));
    return { figures, tracks };
  },
};

const quality = 0.1;

/** A ring, and the scores of its target as it then meets honest domains. */
export function ringThatMeetsHonest(
  scoring: Scoring,
  random: SeededRandom,
  domainCount: number,
  honestReviews: number,
  rounds: number = roundsByDefault,
): { lifted: number[]; scores: number[]; untilBelow50: number } {
  const registry = new SimulatedRegistry(scoring);
  const honest = registerHonestDomains(registry, random);
  const { target, scores: lifted } = newRing(registry, random, domainCount, rounds);
  const scores = scoresOfReviewed(registry, target, honestReviews, () => ({
    reviewer: honest.nextReviewer(),
    opinion: honestOpinion(quality, random),
  }));
  return { lifted, scores, untilBelow50: reviewsUntilBelow(50, scores.slice(1)) };
}

const reviewsMax = new Map([
  [1, 2],
  [2, 7],
]);

/** The target that a ring has lifted is bad for every other domain. */
export const ringMeetsHonest: Attack = {
  name: 'ring-meets-honest',
  title: "The ring's target then meets 8 honest domains (quality 0.1)",
  control: null,
  steps: 'honest reviews after the ring',
  marks: [{ score: 50, label: 'below 50' }],
  beyondTheTable: false,
  run: (newScoring, random) => {
    const cases = [...reviewsMax].map(([domainCount, limit]) => ({
      label: labelOf(domainCount),
      limit,
      ...ringThatMeetsHonest(newScoring(), random, domainCount, 24),
    }));
    return {
      figures: cases.map(({ label, limit, untilBelow50 }) => ({
        label: `${label}: honest reviews until below 50`,
        value: untilBelow50,
        gate: { relation: '<=', limit },
      })),
      tracks: cases.map(({ label, scores }) => ({ label, scores })),
    };
  },
};
