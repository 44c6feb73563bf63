import { registerHonestDomains } from '../../market/honest-domains.ts';
import { honestOpinion } from '../../market/honest-opinion.ts';
import { SimulatedRegistry } from '../../registry/simulated-registry.ts';
import { HOUR_MS } from '../../registry/time.ts';
import type { Attack } from '../attack.ts';
import { formRing } from '../form-ring.ts';
import { reviewsUntilBelow } from '../reviews-until.ts';

const domainCount = 3;
const quality = 0.1;
const honestReviews = 60;

/** Each further domain that an attacker holds lifts its target further: who hands out organisation keys sets the price. */
export const ringOfThree: Attack = {
  name: 'ring-of-three',
  title: `Ring of ${domainCount} org domains, then 8 honest domains (quality ${quality})`,
  control: null,
  steps: 'honest reviews after the ring',
  marks: [
    { score: 70, label: 'trusted' },
    { score: 50, label: 'below 50' },
  ],
  beyondTheTable: true,
  run: (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random);
    const { target, scores: lifted } = formRing(registry, random, domainCount);
    const scores = [registry.score(target)];
    for (let review = 0; review < honestReviews; review += 1) {
      registry.pass(HOUR_MS);
      registry.review(honest.nextReviewer(), target, honestOpinion(quality, random));
      scores.push(registry.score(target));
    }
    return {
      figures: [
        { label: 'highest score of the target', value: Math.max(...lifted), gate: null },
        { label: 'honest reviews until below 50', value: reviewsUntilBelow(50, scores.slice(1)), gate: null },
      ],
      tracks: [{ label: 'target', scores }],
    };
  },
};
