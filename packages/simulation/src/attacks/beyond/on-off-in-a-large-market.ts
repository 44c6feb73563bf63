import type { Attack } from '../attack.ts';
import { turned } from '../on-off.ts';
import { reviewsUntilBelow } from '../reviews-until.ts';

const domainCount = 20;

/** Three recent reviews of each of many domains are a lot of good name to live off. */
export const onOffInALargeMarket: Attack = {
  name: 'on-off-in-a-large-market',
  title: `On-off where ${domainCount} honest domains have dealt with the agent, not 8`,
  control: null,
  steps: 'reviews',
  marks: [
    { score: 70, label: 'below 70' },
    { score: 50, label: 'below 50' },
  ],
  beyondTheTable: true,
  run: (newScoring, random) => {
    const { scores, bad } = turned(newScoring(), random, { domainCount });
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
