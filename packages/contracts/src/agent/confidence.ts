import { z } from 'zod';

/** How sure a score is. */
export const trustConfidence = z
  .object({
    evidenceWeight: z.number().describe('Weight of all reviews after the caps, in reviews of full weight.'),
    roots: z.int().describe('How many roots speak.'),
    interval: z
      .array(z.number())
      .length(2)
      .describe('Between these scores lie about nine of ten agents with such evidence: the lower and the upper bound.'),
  })
  .meta({ id: 'TrustConfidence', description: 'How much evidence a score has. It never changes the score.' });
