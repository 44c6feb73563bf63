import { honestOpinion, marketWithTarget, registerAttackers, scoresOfReviewed, worst } from '../market.ts';
import type { SeededRandom } from '../random/seeded-random.ts';
import type { Scoring } from '../scoring/scoring.ts';
import { HOUR_MS, MINUTE_MS, SimulatedRegistry } from '../simulated-registry.ts';
import type { Attack } from './attack.ts';

const quality = 0.95;
const honestReviews = 100;
const badReviews = 1000;
const attackerCount = 10;
const fallMax = 20;

/** One organisation gives the worst reviews to an agent that all others rate well. */
export const badMouthing: Attack = {
  name: 'bad-mouthing',
  title: 'Bad-mouthing by one domain, 1000 reviews, of an agent of quality 0.95',
  control: 'plain mean',
  steps: 'reviews',
  marks: [],
  beyondTheTable: false,
  run: (newScoring, random) => {
    const { scores, before, fall } = badMouthed(newScoring(), random, 0);
    return {
      figures: [{ label: 'fall', value: fall, gate: { relation: '<=', limit: fallMax } }],
      tracks: [{ label: 'target', scores }],
      marks: [{ score: before - fallMax, label: `${fallMax} below` }],
    };
  },
};

/**
 * @param restMs between the last honest review and the first of the attack
 * @param attackers organisations that attack, 10 agents each, which share the reviews
 */
export function badMouthed(
  scoring: Scoring,
  random: SeededRandom,
  restMs: number,
  { attackers: organisations = 1 }: { attackers?: number } = {},
): { scores: number[]; before: number; fall: number } {
  const registry = new SimulatedRegistry(scoring);
  const { honest, target } = marketWithTarget(registry, random);
  // Organisations alternate.
  const ring = registerAttackers(registry, organisations, attackerCount);
  const attackers = Array.from({ length: attackerCount }, (_, index) =>
    ring.map((agents) => agents[index] ?? ''),
  ).flat();
  const honestReview = () => ({ reviewer: honest.nextReviewer(), opinion: honestOpinion(quality, random) });
  const scores = scoresOfReviewed(registry, target, honestReviews, honestReview, 6 * HOUR_MS);
  registry.pass(restMs);
  const attack = (review: number) => ({ reviewer: attackers[review % attackers.length] ?? target, opinion: worst });
  const [before = 0, ...attacked] = scoresOfReviewed(registry, target, badReviews, attack, MINUTE_MS);
  return { scores: [...scores, ...attacked], before, fall: before - Math.min(before, ...attacked) };
}
