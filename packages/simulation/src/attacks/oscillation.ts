import { registerHonestDomains } from '../market/honest-domains.ts';
import { honestOpinion, perfect } from '../market/honest-opinion.ts';
import type { SeededRandom } from '../random/seeded-random.ts';
import { SimulatedRegistry } from '../registry/simulated-registry.ts';
import { HOUR_MS } from '../registry/time.ts';
import { mean } from '../statistics/mean.ts';
import type { Attack } from './attack.ts';

const blocks = 40;
const blockSize = 10;
const badPerBlock = 3;
const badQuality = 0.1;
const warmUpReviews = 100;

/** An agent cheats in exactly three of ten exchanges, at random ones, and is perfect in the others. */
export const oscillation: Attack = {
  name: 'oscillation',
  title: 'Oscillation, 30 percent bad',
  control: 'plain mean',
  steps: 'reviews',
  marks: [{ score: 70, label: 'mean below 70' }],
  beyondTheTable: false,
  run: (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random);
    const target = registry.register('target', { orgId: 'target.test', orgDomain: 'target.test' });
    const scores = [registry.score(target)];
    for (const isBad of badTurns(random)) {
      registry.pass(HOUR_MS);
      registry.review(honest.nextReviewer(), target, isBad ? honestOpinion(badQuality, random) : perfect);
      scores.push(registry.score(target));
    }
    return {
      figures: [
        {
          label: `mean score after ${warmUpReviews} reviews`,
          value: mean(scores.slice(warmUpReviews + 1)),
          gate: { relation: '<', limit: 70 },
        },
      ],
      tracks: [{ label: 'target', scores }],
    };
  },
};

/** Which exchanges are bad: in each block of ten, three. */
export function badTurns(random: SeededRandom): boolean[] {
  return Array.from({ length: blocks }, () =>
    random.shuffled(Array.from({ length: blockSize }, (_, index) => index < badPerBlock)),
  ).flat();
}
