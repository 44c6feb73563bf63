import { honestOpinion } from '../../market/honest-opinion.ts';
import type { Attack } from '../attack.ts';
import { turned } from '../on-off.ts';
import { reviewsUntilBelow } from '../reviews-until.ts';

const quality = 0.1;

/** Not everyone gives a failed exchange a 1. */
export const onOffWithMildReviewers: Attack = {
  name: 'on-off-with-mild-reviewers',
  title: `On-off where bad means quality ${quality} (failed, rated 1 to 4), not 1/10`,
  control: null,
  steps: 'reviews',
  marks: [
    { score: 70, label: 'below 70' },
    { score: 50, label: 'below 50' },
  ],
  beyondTheTable: true,
  run: (newScoring, random) => {
    const { scores, bad } = turned(newScoring(), random, { bad: () => honestOpinion(quality, random) });
    return {
      figures: [70, 50].map((limit) => ({
        label: `bad reviews until below ${limit}`,
        value: reviewsUntilBelow(limit, bad),
        gate: null,
      })),
      tracks: [{ label: 'target', scores }],
    };
  },
};
