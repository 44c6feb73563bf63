import { honestDomainCount, marketWithTarget, perfect, scoresOfReviewed, worst } from '../market.ts';
import type { SeededRandom } from '../random/seeded-random.ts';
import type { Scoring } from '../scoring/scoring.ts';
import { type Opinion, SimulatedRegistry } from '../simulated-registry.ts';
import { type Attack, belowMarks, reviewsUntilBelow } from './attack.ts';

const goodReviews = 100;
const badReviews = 60;
const reviewsMax = { 70: 6, 50: 12 } as const;

/** An agent earns a reputation, then exploits it. */
export const onOff: Attack = {
  name: 'on-off',
  title: 'On-off: 100 good reviews, then only bad',
  control: 'plain mean',
  steps: 'reviews',
  marks: belowMarks,
  beyondTheTable: false,
  run: turned(),
};

/** The run of an agent that turns bad. */
export function turned(options: { domainCount?: number; bad?: (random: SeededRandom) => Opinion } = {}): Attack['run'] {
  const { domainCount = honestDomainCount, bad = (): Opinion => worst } = options;
  return (newScoring: () => Scoring, random: SeededRandom) => {
    const registry = new SimulatedRegistry(newScoring());
    const { honest, target } = marketWithTarget(registry, random, domainCount);
    const scores = scoresOfReviewed(registry, target, goodReviews + badReviews, (review) => {
      const opinion = review < goodReviews ? perfect : bad(random);
      return { opinion, reviewer: honest.nextReviewer() };
    });
    const figures = ([70, 50] as const).map((limit) => ({
      label: `bad reviews until below ${limit}`,
      value: reviewsUntilBelow(limit, scores.slice(goodReviews + 1)),
      gate: { relation: '<=' as const, limit: reviewsMax[limit] },
    }));
    return { figures, tracks: [{ label: 'target', scores }] };
  };
}
