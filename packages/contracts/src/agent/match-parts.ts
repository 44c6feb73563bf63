import { z } from 'zod';

/** Shares of the parts in match_score. */
export const matchWeights = { capability: 0.6, trust: 0.25, success: 0.1, activity: 0.05 } as const;
const partNames = Object.keys(matchWeights) as (keyof typeof matchWeights)[];

/** match_score has four decimals: it is a whole number of these steps. */
export const matchScoreSteps = 10_000;

/** How much of each part of match_score an agent has, 0 to 1. */
export const matchPartValues = z.object({
  capability: z.number(),
  trust: z.number(),
  success: z.number(),
  activity: z.number(),
});
export type MatchPartValues = z.infer<typeof matchPartValues>;

const matchPart = z
  .object({
    value: z.number().describe('How much of the part the agent has, 0 to 1 with four decimals.'),
    weight: z.number().describe('The most points that the part can add.'),
    points: z.number().describe('What it adds to match_score, four decimals.'),
  })
  .meta({ id: 'MatchPart', description: 'One part of a match_score.' });

export const matchParts = z
  .object({
    capability: matchPart.describe('How well the required capabilities are met; 0 if none are required.'),
    trust: matchPart.describe('The trust_score, of 100.'),
    success: matchPart.describe('The lower bound of the 95 percent interval of the success rate; 0 without reviews.'),
    activity: matchPart.describe('Completed exchanges with other organisations, on a logarithmic scale.'),
  })
  .meta({ id: 'MatchParts', description: 'What a match_score is made of: the points sum to it exactly.' });
export type MatchParts = z.infer<typeof matchParts>;

const fourDecimals = (value: number): number => Math.round(value * matchScoreSteps) / matchScoreSteps;

/**
 * The parts of a match_score with their points. Each is rounded up or down so that they sum to the score as it is given: those that lose most by
 * rounding down are rounded up (largest remainder method).
 */
export function matchPartsOf(values: MatchPartValues, matchScore: number): MatchParts {
  const exact = partNames.map((name) => matchWeights[name] * values[name] * matchScoreSteps);
  const steps = exact.map(Math.floor);
  const byLoss = exact
    .map((share, at) => ({ at, loss: share - Math.floor(share) }))
    .toSorted((one, other) => other.loss - one.loss);
  let missing = Math.round(matchScore * matchScoreSteps) - steps.reduce((sum, step) => sum + step, 0);
  for (const { at } of byLoss) {
    if (missing <= 0) break;
    steps[at] = (steps[at] as number) + 1;
    missing -= 1;
  }
  const part = (name: keyof typeof matchWeights, at: number) => {
    const points = (steps[at] as number) / matchScoreSteps;
    return [name, { value: fourDecimals(values[name]), weight: matchWeights[name], points }] as const;
  };
  return Object.fromEntries(partNames.map(part)) as MatchParts;
}
