import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type MatchPartValues, matchParts, matchPartsOf, matchScoreSteps, matchWeights } from './match-parts.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const values: fc.Arbitrary<MatchPartValues> = fc.record({
  capability: share,
  trust: fc.integer({ min: 0, max: 100 }).map((score) => score / 100),
  success: share,
  activity: share,
});
const names = ['capability', 'trust', 'success', 'activity'] as const;
/** As match rounds it. */
const scoreOf = (of: MatchPartValues): number => {
  const sum = names.reduce((total, name) => total + matchWeights[name] * of[name], 0);
  return Math.floor(sum * matchScoreSteps + 0.5) / matchScoreSteps;
};

it('sums to the score at four decimals, whatever the values, and no part is off by more than its rounding', () => {
  fc.assert(
    fc.property(values, (of) => {
      const score = scoreOf(of);
      const parts = matchParts.parse(matchPartsOf(of, score));
      const steps = names.map((name) => parts[name].points * matchScoreSteps);
      for (const step of steps) expect(step).toBeCloseTo(Math.round(step), 6);
      expect(steps.reduce((sum, step) => sum + Math.round(step), 0)).toBe(Math.round(score * matchScoreSteps));
      for (const name of names) {
        const { points, weight } = parts[name];
        expect(points).toBeGreaterThanOrEqual(0);
        expect(points).toBeLessThanOrEqual(weight);
        expect(Math.abs(points - weight * of[name])).toBeLessThan(1.0001 / matchScoreSteps);
      }
    }),
  );
});

it('says how much of each part there is, and of how much', () => {
  expect(matchPartsOf({ capability: 1, trust: 0.78, success: 0.86461, activity: 0.1 }, 0.8865)).toEqual({
    capability: { value: 1, weight: 0.6, points: 0.6 },
    trust: { value: 0.78, weight: 0.25, points: 0.195 },
    success: { value: 0.8646, weight: 0.1, points: 0.0865 },
    activity: { value: 0.1, weight: 0.05, points: 0.005 },
  });
});
