import { trustPolicyDocument, type TrustPolicyDocument } from '@agent-trust/contracts';
import type { z } from 'zod';
import type { AnyTrustPolicy } from './built-in-policies.ts';
import { canonicalPolicy, policyV1, type TrustPolicy } from './trust-policy.ts';
import { policyV2, type TrustPolicyV2 } from './trust-policy-v2.ts';

/** An invalid policy. The message has one line for each fault, with its path. */
export class BadPolicyError extends Error {
  override readonly name = 'BadPolicyError';
}

/** Longest fault text, so that hostile input cannot fill a log or a terminal. */
const FAULT_CHARACTERS_MAX = 2000;

/**
 * Parses a policy of any formula, or throws BadPolicyError. Strict, so that a misspelt constant is a fault.
 *
 * The name of a released policy means that policy alone. Only a policy of formula v1 may have the name v2: a log from before that was released may
 * have put one in force, and keeps it.
 */
export function parsePolicy(json: unknown): AnyTrustPolicy {
  const parsed = trustPolicyDocument.safeParse(json);
  if (!parsed.success) throw new BadPolicyError(faultsOf(parsed.error));
  const policy = frozen(parsed.data);
  const released = policy.formula === 'v1' ? [policyV1] : [policyV1, policyV2];
  const namesake = released.find(({ name }) => name === policy.name);
  if (namesake === undefined) return policy;
  if (canonicalPolicy(namesake) === canonicalPolicy(policy)) return namesake;
  throw new BadPolicyError(`name: ${policy.name} is a released policy, which never changes; choose another name`);
}

/** Parses a policy of formula v1, or throws BadPolicyError. */
export function parsePolicyV1(json: unknown): TrustPolicy {
  const policy = parsePolicy(json);
  if (policy.formula === 'v1') return policy;
  throw new BadPolicyError(`formula: must be v1, and is ${policy.formula}`);
}

/** Parses a policy of formula v2, or throws BadPolicyError. */
export function parsePolicyV2(json: unknown): TrustPolicyV2 {
  const policy = parsePolicy(json);
  if (policy.formula === 'v2') return policy;
  throw new BadPolicyError(`formula: must be v2, and is ${policy.formula}`);
}

/** Scores are computed from rules that are derived from a policy once, so the policy must not change afterwards. */
const frozen = (policy: TrustPolicyDocument): AnyTrustPolicy => {
  const { name, formula } = policy;
  if (formula === 'v1') {
    const priors = policy.priors === null ? null : Object.freeze({ ...policy.priors });
    return Object.freeze({ name, formula, constants: Object.freeze({ ...policy.constants }), priors });
  }
  const anchors = Object.freeze([...policy.constants.anchors]);
  return Object.freeze({ name, formula, constants: Object.freeze({ ...policy.constants, anchors }), priors: null });
};

const faultsOf = (error: z.ZodError): string => {
  const lines = error.issues.map(({ path, message }) => `${path.length === 0 ? 'policy' : path.join('.')}: ${message}`);
  const text = lines.join('\n').replace(/[^\P{Cc}\n]+|[\p{Zl}\p{Zp}]+/gu, ' ');
  return text.length > FAULT_CHARACTERS_MAX ? `${text.slice(0, FAULT_CHARACTERS_MAX)}…` : text;
};
