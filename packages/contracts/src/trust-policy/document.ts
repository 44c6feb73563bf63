import { z } from 'zod';

const number = (min: number, max: number, description: string): z.ZodNumber =>
  z.number().min(min).max(max).describe(description);

const constantsOfV1 = {
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
} as const;

const constants = z
  .strictObject(constantsOfV1)
  .describe('The numbers of the formula. Weights are in reviews of full weight, values in 0 to 1, points in 0 to 100.');

/** Most organisations that a policy may name as anchors, and their longest id. */
const anchorsMax = 1_000;
const anchorCharactersMax = 256;

const constantsV2 = z
  .strictObject({
    ...constantsOfV1,
    establishedBy: z.int().min(1).max(100).describe('Vouchers that make an organisation an established one.'),
    newRootShareMax: number(0.01, 1, 'Largest share of all weight for praise by a root that is not established.'),
    establishedRecordMin: number(0, 75, 'Lowest standing record of an established organisation.'),
    answerShareMin: number(0, 1, 'An organisation answers for an agent if it has more than this share in its praise.'),
    unaffiliated: z
      .enum(['raisers', 'none'])
      .describe('What a reviewer without an organisation speaks for: who has raised it, or one root of all such.'),
    recordStep: number(1, 25, 'Records are multiples of this, or 75.'),
    voices: z.int().min(1).max(10).describe('The voice of this rank lifts the prior of an unaffiliated agent ...'),
    priorLiftMax: number(0, 35, '... by at most this.'),
    fallRootsMin: z.int().min(1).max(10).describe('Fast fall: roots with a bad recent review that it needs.'),
    recentMax: z.int().min(3).max(1_000).describe('Fast fall: about as many reviews are recent.'),
    anchors: z
      .array(z.string().min(1).max(anchorCharactersMax))
      .max(anchorsMax)
      .refine((anchors) => new Set(anchors).size === anchors.length, { message: 'names an organisation twice' })
      .describe('Organisations that are established without vouchers, by their org_id.'),
  })
  .refine(({ newRootShareMax, rootShareMax }) => newRootShareMax <= rootShareMax, {
    path: ['newRootShareMax'],
    message: 'must not be above rootShareMax',
  })
  .describe('The numbers of the formula: those of v1 and some more.');

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

const documentV1 = z.strictObject({
  name: trustPolicyName,
  formula: z.literal('v1').describe('The code that computes.'),
  constants,
  priors: priors.nullable().describe('What agents start from; null: the prior that the registration recorded.'),
});

const documentV2 = z.strictObject({
  name: trustPolicyName,
  formula: z.literal('v2').describe('The code that computes.'),
  constants: constantsV2,
  priors: z.null().describe('Agents start from the prior that their registration recorded.'),
});

const document = z.discriminatedUnion('formula', [
  documentV1.meta({ id: 'TrustPolicyV1', description: 'A trust policy of formula v1.' }),
  documentV2.meta({
    id: 'TrustPolicyV2',
    description: 'A trust policy of formula v2: organisations answer for their agents, and praise needs standing.',
  }),
]);

/**
 * A trust policy as operators write it, in a file or a request. Its members are those of the file, not in snake_case. Within the ranges the
 * formula guarantees scores of 0–100, at most 32 reviews that count for each pair, and arithmetic without overflow.
 */
export const trustPolicyDocument: typeof document = document.meta({
  id: 'TrustPolicy',
  description: 'A trust policy: the formula, its constants, and what agents start from.',
});
export type TrustPolicyDocument = z.infer<typeof document>;

/** Policies of each formula as a JSON Schema (2020-12), from which a form can be made. */
export const trustPolicyJsonSchemas: Readonly<Record<TrustPolicyDocument['formula'], Record<string, unknown>>> = {
  v1: z.toJSONSchema(documentV1),
  v2: z.toJSONSchema(documentV2),
};
