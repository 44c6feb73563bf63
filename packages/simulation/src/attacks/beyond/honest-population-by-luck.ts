import { honestOpinion } from '../../market/honest-opinion.ts';
import type { SeededRandom } from '../../random/seeded-random.ts';
import type { Opinion } from '../../registry/simulated-registry.ts';
import type { Attack } from '../attack.ts';
import { lived } from '../honest-population.ts';

/** Quality as the chance that an exchange succeeds: the same rating, but an agent of quality 0.9 fails outright one time in ten. */
const luckyOpinion = (quality: number, random: SeededRandom): Opinion => ({
  success: random.next() < quality,
  score: honestOpinion(quality, random).score,
});

/** The policy punishes failures hard, so good agents that fail now and then earn "trusted" slowly or not at all. */
export const honestPopulationByLuck: Attack = {
  name: 'honest-population-by-luck',
  title: 'Honest population where quality is the chance that an exchange succeeds',
  control: null,
  steps: 'steps of 40 reviews',
  marks: [
    { score: 70, label: 'trusted' },
    { score: 50, label: 'caution' },
  ],
  beyondTheTable: true,
  run: (newScoring, random) => {
    const { figures, tracks } = lived(newScoring(), random, luckyOpinion);
    return { figures: figures.map((figure) => ({ ...figure, gate: null })), tracks };
  },
};
