import { honestDomainCount, registerHonestDomains } from '../market/honest-domains.ts';
import { perfect, worst } from '../market/honest-opinion.ts';
import type { SeededRandom } from '../random/seeded-random.ts';
import { type Opinion, SimulatedRegistry } from '../registry/simulated-registry.ts';
import { HOUR_MS } from '../registry/time.ts';
import type { Scoring } from '../scoring/scoring.ts';
import type { Attack } from './attack.ts';
import { reviewsUntilBelow } from './reviews-until.ts';

const goodReviews = 100;
const badReviews = 60;

/** An agent earns a name, then lives off it. */
export const onOff: Attack = {
  name: 'on-off',
  title: 'On-off: 100 good reviews, then only bad',
  control: 'plain mean',
  steps: 'reviews',
  marks: [
    { score: 70, label: 'below 70' },
    { score: 50, label: 'below 50' },
  ],
  beyondTheTable: false,
  run: (newScoring, random) => {
    const { scores, bad } = turned(newScoring(), random);
    return {
      figures: [
        {
          label: 'bad reviews until below 70',
          value: reviewsUntilBelow(70, bad),
          gate: { relation: '<=', limit: 6 },
        },
        {
          label: 'bad reviews until below 50',
          value: reviewsUntilBelow(50, bad),
          gate: { relation: '<=', limit: 12 },
        },
      ],
      tracks: [{ label: 'target', scores }],
    };
  },
};

/** All scores of an agent that turns bad, and those after each of the bad reviews. */
export function turned(
  scoring: Scoring,
  random: SeededRandom,
  { domainCount = honestDomainCount, bad = (): Opinion => worst } = {},
): { scores: number[]; bad: number[] } {
  const registry = new SimulatedRegistry(scoring);
  const honest = registerHonestDomains(registry, random, domainCount);
  const target = registry.register('target', { orgId: 'target.test', orgDomain: 'target.test' });
  const scores = [registry.score(target)];
  for (let review = 0; review < goodReviews + badReviews; review += 1) {
    registry.pass(HOUR_MS);
    const opinion = review < goodReviews ? perfect : bad();
    registry.review(honest.nextReviewer(), target, opinion);
    scores.push(registry.score(target));
  }
  return { scores, bad: scores.slice(goodReviews + 1) };
}
