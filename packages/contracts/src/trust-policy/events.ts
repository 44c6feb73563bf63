import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { timestamp } from '../text.ts';

/** The stream of the trust policies that have been in force. Before its first event that is the built-in `v1`. */
export const trustPolicyStream = 'trust-policy';

const constantsOfV1 = {
  strength: z.number(),
  rootShareMax: z.number(),
  failureFactor: z.number(),
  badBelow: z.number(),
  badWeight: z.number(),
  weightMin: z.number(),
  halfLifeDays: z.number(),
  recentAgeDaysMax: z.number(),
  recentPerRootMax: z.number(),
  fastFallPoints: z.number(),
} as const;

const constantsOfV2 = {
  ...constantsOfV1,
  establishedBy: z.number(),
  newRootShareMax: z.number(),
  establishedRecordMin: z.number(),
  answerShareMin: z.number(),
  unaffiliated: z.enum(['raisers', 'none']),
  recordStep: z.number(),
  voices: z.number(),
  priorLiftMax: z.number(),
  fallRootsMin: z.number(),
  recentMax: z.number(),
  anchors: z.array(z.string()).readonly(),
} as const;

/** A policy as data; packages/trust-policy explains its members. */
export const trustPolicyData = z.discriminatedUnion('formula', [
  z.strictObject({
    name: z.string(),
    formula: z.literal('v1'),
    constants: z.strictObject(constantsOfV1),
    priors: z.strictObject({ verified: z.number(), unverified: z.number() }).nullable(),
  }),
  z.strictObject({
    name: z.string(),
    formula: z.literal('v2'),
    constants: z.strictObject(constantsOfV2),
    priors: z.null(),
  }),
]);

/** From this event on another policy computes every score. The event contains the whole policy, so that a replay needs nothing else. */
export const trustPolicyActivated = defineEvent('TrustPolicyActivated', {
  policy: trustPolicyData,
  /** Name of the policy that was in force until now. */
  previousPolicy: z.string(),
  activatedAt: timestamp,
});

export type TrustPolicyActivated = z.infer<typeof trustPolicyActivated.event>;
