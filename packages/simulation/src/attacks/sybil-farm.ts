import { perfect } from '../market.ts';
import { MINUTE_MS, SimulatedRegistry } from '../simulated-registry.ts';
import type { Attack } from './attack.ts';

const sybilCount = 1000;

/** Unaffiliated agents praise a target and each other, to make their reviews count. */
export const sybilFarm: Attack = {
  name: 'sybil-farm',
  title: 'Sybil farm: 1000 unverified agents review a target',
  control: null,
  steps: 'reviews of the target tried',
  marks: [{ score: 40, label: 'stays 40' }],
  beyondTheTable: false,
  run: (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const target = registry.register('target');
    const sybils = Array.from({ length: sybilCount }, (_, index) => registry.register(`sybil-${index + 1}`));
    const scores = [registry.score(target)];
    for (const sybil of random.shuffled(sybils)) {
      registry.review(sybil, sybils[random.below(sybilCount)] ?? target, perfect);
      registry.review(sybil, target, perfect);
      registry.pass(MINUTE_MS);
      scores.push(registry.score(target));
    }
    return {
      figures: [
        { label: 'reviews accepted', value: registry.accepted, gate: { relation: '=', limit: 0 } },
        { label: 'score of the target', value: registry.score(target), gate: { relation: '=', limit: 40 } },
      ],
      tracks: [{ label: 'target', scores }],
    };
  },
};
