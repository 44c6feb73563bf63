import { registerAttackers } from '../market/attacker-domains.ts';
import { registerHonestDomains } from '../market/honest-domains.ts';
import { honestOpinion, worst } from '../market/honest-opinion.ts';
import type { SeededRandom } from '../random/seeded-random.ts';
import { SimulatedRegistry } from '../registry/simulated-registry.ts';
import { HOUR_MS, MINUTE_MS } from '../registry/time.ts';
import type { Scoring } from '../scoring/scoring.ts';
import type { Attack } from './attack.ts';

const quality = 0.95;
const honestReviews = 100;
const badReviews = 1000;
const attackerCount = 10;
const fallMax = 20;

/** One organisation says the worst of an agent that everybody else is content with. */
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

/** @param restMs between the last honest review and the first of the attack. */
export function badMouthed(
  scoring: Scoring,
  random: SeededRandom,
  restMs: number,
): { scores: number[]; before: number; fall: number } {
  const registry = new SimulatedRegistry(scoring);
  const honest = registerHonestDomains(registry, random);
  const [attackers = []] = registerAttackers(registry, 1, attackerCount);
  const target = registry.register('target', { orgId: 'target.test', orgDomain: 'target.test' });
  const scores = [registry.score(target)];
  for (let review = 0; review < honestReviews; review += 1) {
    registry.pass(6 * HOUR_MS);
    registry.review(honest.nextReviewer(), target, honestOpinion(quality, random));
    scores.push(registry.score(target));
  }
  const before = registry.score(target);
  registry.pass(restMs);
  let lowest = before;
  for (let review = 0; review < badReviews; review += 1) {
    registry.pass(MINUTE_MS);
    registry.review(attackers[review % attackers.length] ?? target, target, worst);
    scores.push(registry.score(target));
    lowest = Math.min(lowest, registry.score(target));
  }
  return { scores, before, fall: before - lowest };
}
