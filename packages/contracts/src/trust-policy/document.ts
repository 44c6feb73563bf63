import { z } from 'zod';

const number = (min: number, max: number, description: string): z.ZodNumber =>
  z.number().min(min).max(max).describe(description);

const constants = z
  .strictObject({
    strength: number(0.1, 1_000, 'K: weight of the prior, in full reviews.'),
    rootShareMax: number(0.02, 1, 'Largest share of all weight that one root may have; 1 disables the cap.'),
    failureFactor: number(0, 1, 'Factor of a rating after a failed exchange.'),
    badBelow: number(0, 1, 'A review with a lower value is a bad one ...'),
    badWeight: number(0.1, 10, '... and its weight is multiplied by this.'),
    weightMin: number(1e-8, 0.01, 'A lower weight counts as 0.'),
    halfLifeDays: number(1, 36_500, 'Days in which the weight of a review halves.'),
    recentAgeDaysMax: number(1, 36_500, 'Fast fall: maximum age of a recent review, in days.'),
    recentPerRootMax: z.int().min(1).max(100).describe('Fast fall: recent reviews per root.'),
    fastFallPoints: number(0, 100, 'Fast fall: points by which recent evidence must be below all evidence.'),
  })
  .describe('The numbers of the formula. Weights are in reviews of full weight, values in 0 to 1, points in 0 to 100.');

const priors = z.strictObject({
  verified: number(0, 100, 'Prior of an agent that belongs to an organisation.'),
  unverified: number(0, 100, 'Prior of any other agent.'),
});

/** Names of trust policies. */
export const trustPolicyName: z.ZodString = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/, {
    message: 'must be 1 to 64 of a-z, 0-9, dot, hyphen and underscore, beginning and ending with a letter or digit',
  })
  .describe('Its name, which always means the same policy: other constants need another name.');

const document = z.strictObject({
  name: trustPolicyName,
  formula: z.literal('v1').describe('The code that computes.'),
  constants,
  priors: priors.nullable().describe('What agents start from; null: the prior that the registration recorded.'),
});

/**
 * A trust policy as operators write it, in a file or a request. Its members are those of the file, not in snake_case. Within the ranges the
 * formula guarantees scores of 0–100, at most 32 reviews that count for each pair, and arithmetic without overflow.
 */
export const trustPolicyDocument: typeof document = document.meta({
  id: 'TrustPolicy',
  description: 'A trust policy: the formula, its constants, and what agents start from.',
});
export type TrustPolicyDocument = z.infer<typeof document>;

/** The same as a JSON Schema (2020-12), from which a form can be made. */
export const trustPolicyJsonSchema: Record<string, unknown> = z.toJSONSchema(document);
