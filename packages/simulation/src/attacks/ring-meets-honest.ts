import { registerHonestDomains } from '../market/honest-domains.ts';
import { honestOpinion } from '../market/honest-opinion.ts';
import { SimulatedRegistry } from '../registry/simulated-registry.ts';
import { HOUR_MS } from '../registry/time.ts';
import type { Attack } from './attack.ts';
import { formRing } from './form-ring.ts';
import { reviewsUntilBelow } from './reviews-until.ts';

const quality = 0.1;
const honestReviews = 24;
const reviewsMax = new Map([
  [1, 2],
  [2, 7],
]);

/** What a ring has lifted turns out to be bad, for all who deal with it. */
export const ringMeetsHonest: Attack = {
  name: 'ring-meets-honest',
  title: "The ring's target then meets 8 honest domains (quality 0.1)",
  control: null,
  steps: 'honest reviews after the ring',
  marks: [{ score: 50, label: 'below 50' }],
  beyondTheTable: false,
  run: (newScoring, random) => {
    const cases = [...reviewsMax].map(([domainCount, limit]) => {
      const registry = new SimulatedRegistry(newScoring());
      const honest = registerHonestDomains(registry, random);
      const { target } = formRing(registry, random, domainCount);
      const scores = [registry.score(target)];
      for (let review = 0; review < honestReviews; review += 1) {
        registry.pass(HOUR_MS);
        registry.review(honest.nextReviewer(), target, honestOpinion(quality, random));
        scores.push(registry.score(target));
      }
      return { label: domainCount === 1 ? '1 domain' : `${domainCount} domains`, limit, scores };
    });
    return {
      figures: cases.map(({ label, limit, scores }) => ({
        label: `${label}: honest reviews until below 50`,
        value: reviewsUntilBelow(50, scores.slice(1)),
        gate: { relation: '<=', limit },
      })),
      tracks: cases.map(({ label, scores }) => ({ label, scores })),
    };
  },
};
