import { trustPolicyDocument, trustPolicyName } from '@agent-trust/contracts';
import { z } from 'zod';
import { builtInPolicies, canonicalPolicy, type TrustPolicy } from './trust-policy.ts';
import { policyV2, type TrustPolicyV2 } from './trust-policy-v2.ts';

/** An invalid policy. The message has one line for each fault, with its path. */
export class BadPolicyError extends Error {
  override readonly name = 'BadPolicyError';
}

/** Longest fault text, so that hostile input cannot fill a log or a terminal. */
const FAULT_CHARACTERS_MAX = 2000;

/**
 * Parses a policy, or throws BadPolicyError. Strict, so that a misspelt constant is a fault.
 */
export function parsePolicy(json: unknown): TrustPolicy {
  const parsed = trustPolicyDocument.safeParse(json);
  if (!parsed.success) throw new BadPolicyError(faultsOf(parsed.error));
  const policy = frozen(parsed.data);
  const builtIn = builtInPolicies.get(policy.name);
  if (builtIn === undefined) return policy;
  if (canonicalPolicy(builtIn) === canonicalPolicy(policy)) return builtIn;
  throw new BadPolicyError(`name: ${policy.name} is a released policy, which never changes; choose another name`);
}

/**
 * Parses a policy of formula v2, or throws BadPolicyError. Apart from `parsePolicy`, whose policies the registry puts in force: formula v2 is not among
 * them yet.
 */
export function parsePolicyV2(json: unknown): TrustPolicyV2 {
  const parsed = policyV2Schema.safeParse(json);
  if (!parsed.success) throw new BadPolicyError(faultsOf(parsed.error));
  const { constants, ...policy } = parsed.data;
  const anchors = Object.freeze([...constants.anchors]);
  const frozenPolicy: TrustPolicyV2 = Object.freeze({ ...policy, constants: Object.freeze({ ...constants, anchors }) });
  if (policy.name !== policyV2.name) return frozenPolicy;
  if (canonicalPolicy(policyV2) === canonicalPolicy(frozenPolicy)) return policyV2;
  throw new BadPolicyError(`name: ${policy.name} is a released policy, which never changes; choose another name`);
}

/** Most organisations that a policy may name as anchors, and their longest name. */
const ANCHORS_MAX = 1000;
const ANCHOR_CHARACTERS_MAX = 256;

const constantsV2Schema = z
  .strictObject({
    ...trustPolicyDocument.shape.constants.shape,
    establishedBy: z.int().min(1).max(100),
    newRootShareMax: z.number().min(0.01).max(1),
    establishedRecordMin: z.number().min(0).max(75),
    answerShareMin: z.number().min(0).max(1),
    unaffiliated: z.enum(['raisers', 'none']),
    recordStep: z.number().min(1).max(25),
    voices: z.int().min(1).max(10),
    priorLiftMax: z.number().min(0).max(35),
    fallRootsMin: z.int().min(1).max(10),
    recentMax: z.int().min(3).max(1000),
    anchors: z
      .array(z.string().min(1).max(ANCHOR_CHARACTERS_MAX))
      .max(ANCHORS_MAX)
      .refine((anchors) => new Set(anchors).size === anchors.length, { message: 'names an organisation twice' }),
  })
  .refine(({ newRootShareMax, rootShareMax }) => newRootShareMax <= rootShareMax, {
    path: ['newRootShareMax'],
    message: 'must not be above rootShareMax',
  });

const policyV2Schema = z.strictObject({
  name: trustPolicyName,
  formula: z.literal('v2'),
  constants: constantsV2Schema,
  priors: z.null(),
});

/** Scores are computed from rules that are derived from a policy once, so the policy must not change afterwards. */
const frozen = ({ name, formula, constants, priors }: TrustPolicy): TrustPolicy =>
  Object.freeze({
    name,
    formula,
    constants: Object.freeze({ ...constants }),
    priors: priors === null ? null : Object.freeze({ ...priors }),
  });

const faultsOf = (error: z.ZodError): string => {
  const lines = error.issues.map(({ path, message }) => `${path.length === 0 ? 'policy' : path.join('.')}: ${message}`);
  const text = lines.join('\n').replace(/[^\P{Cc}\n]+|[\p{Zl}\p{Zp}]+/gu, ' ');
  return text.length > FAULT_CHARACTERS_MAX ? `${text.slice(0, FAULT_CHARACTERS_MAX)}…` : text;
};
