import { type HonestDomains, honestOpinion, marketWithTarget, perfect, scoresOfReviewed } from '../market.ts';
import type { SeededRandom } from '../random/seeded-random.ts';
import { type Opinion, SimulatedRegistry } from '../simulated-registry.ts';
import { mean } from '../statistics.ts';
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
  run: oscillating((isBad, honest, random) => ({
    reviewer: honest.nextReviewer(),
    opinion: isBad ? honestOpinion(badQuality, random) : perfect,
  })),
};

/** The run of an agent that is bad in three of each ten exchanges. */
export function oscillating(
  review: (isBad: boolean, honest: HonestDomains, random: SeededRandom) => { reviewer: string; opinion: Opinion },
): Attack['run'] {
  return (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const { honest, target } = marketWithTarget(registry, random);
    const turns = Array.from({ length: blocks }, () =>
      random.shuffled(Array.from({ length: blockSize }, (_, index) => index < badPerBlock)),
    ).flat();
    const scores = scoresOfReviewed(registry, target, turns.length, (turn) =>
      review(turns[turn] === true, honest, random),
    );
    const value = mean(scores.slice(warmUpReviews + 1));
    return {
      figures: [{ label: `mean score after ${warmUpReviews} reviews`, value, gate: { relation: '<', limit: 70 } }],
      tracks: [{ label: 'target', scores }],
    };
  };
}
