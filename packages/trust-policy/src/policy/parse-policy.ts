import { z } from 'zod';
import { builtInPolicies, canonicalPolicy, type TrustPolicy } from './trust-policy.ts';

/** An invalid policy. The message has one line for each fault, with its path. */
export class BadPolicyError extends Error {
  override readonly name = 'BadPolicyError';
}

/** Longest fault text, so that hostile input cannot fill a log or a terminal. */
const FAULT_CHARACTERS_MAX = 2000;

/**
 * Parses a policy, or throws BadPolicyError. Strict, so that a misspelt constant is a fault. Within the ranges the formula guarantees scores of 0–100,
 * at most 32 reviews that count for each pair, and arithmetic without overflow.
 */
export function parsePolicy(json: unknown): TrustPolicy {
  const parsed = policySchema.safeParse(json);
  if (!parsed.success) throw new BadPolicyError(faultsOf(parsed.error));
  const policy = frozen(parsed.data);
  const builtIn = builtInPolicies.get(policy.name);
  if (builtIn === undefined) return policy;
  if (canonicalPolicy(builtIn) === canonicalPolicy(policy)) return builtIn;
  throw new BadPolicyError(`name: ${policy.name} is a released policy, which never changes; choose another name`);
}

const constantsSchema = z.strictObject({
  strength: z.number().min(0.1).max(1000),
  rootShareMax: z.number().min(0.02).max(1),
  failureFactor: z.number().min(0).max(1),
  badBelow: z.number().min(0).max(1),
  badWeight: z.number().min(0.1).max(10),
  weightMin: z.number().min(1e-8).max(0.01),
  halfLifeDays: z.number().min(1).max(36_500),
  recentAgeDaysMax: z.number().min(1).max(36_500),
  recentPerRootMax: z.int().min(1).max(100),
  fastFallPoints: z.number().min(0).max(100),
});

const policySchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/, {
    message: 'must be 1 to 64 of a-z, 0-9, dot, hyphen and underscore, beginning and ending with a letter or digit',
  }),
  formula: z.literal('v1'),
  constants: constantsSchema,
  priors: z.strictObject({ verified: z.number().min(0).max(100), unverified: z.number().min(0).max(100) }).nullable(),
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
