import { honestDomainCount, registerHonestDomains } from '../../market/honest-domains.ts';
import { perfect, worst } from '../../market/honest-opinion.ts';
import { SimulatedRegistry } from '../../registry/simulated-registry.ts';
import { HOUR_MS } from '../../registry/time.ts';
import { mean } from '../../statistics/mean.ts';
import type { Attack } from '../attack.ts';
import { badTurns } from '../oscillation.ts';

const warmUpReviews = 100;

/** The cap that stops one domain from ruining an agent also stops it from being heard when it alone is cheated. */
export const cheatsOneDomain: Attack = {
  name: 'cheats-one-domain',
  title: 'Oscillation, 30 percent bad, where one domain of 8 gets all that is bad and the others none',
  control: null,
  steps: 'reviews',
  marks: [{ score: 70, label: 'mean below 70' }],
  beyondTheTable: true,
  run: (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random);
    const target = registry.register('target', { orgId: 'target.test', orgDomain: 'target.test' });
    const scores = [registry.score(target)];
    for (const isBad of badTurns(random)) {
      registry.pass(HOUR_MS);
      const reviewer = honest.reviewerOf(isBad ? 0 : 1 + random.below(honestDomainCount - 1));
      registry.review(reviewer, target, isBad ? worst : perfect);
      scores.push(registry.score(target));
    }
    return {
      figures: [
        {
          label: `mean score after ${warmUpReviews} reviews`,
          value: mean(scores.slice(warmUpReviews + 1)),
          gate: null,
        },
      ],
      tracks: [{ label: 'target', scores }],
    };
  },
};
