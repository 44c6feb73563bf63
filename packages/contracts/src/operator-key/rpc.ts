import { z } from 'zod';
import { actor } from '../actor.ts';
import { operatorRole } from '../operator/role.ts';
import { unary } from '../rpc/method.ts';
import { moment, nullableMoment, nullableText, positionText, sha256Hex } from '../text.ts';

/** Creates a key; `expiresAt` null is the default lifetime. Refusals: operator_key_name_taken, operator_key_limit_reached, validation_failed. */
export const createOperatorKey = unary('registry-write', 'create_operator_key', {
  input: z.object({
    operatorKeyId: z.string(),
    name: z.string(),
    role: operatorRole,
    keyHash: sha256Hex,
    expiresAt: z.string().nullable(),
    actor,
  }),
  output: z.object({ createdAt: z.string(), expiresAt: z.string(), position: positionText }),
});

/** Revokes a key by its id, or else its name. Repeated, it answers what holds. Refusal: operator_key_not_found. */
export const revokeOperatorKey = unary('registry-write', 'revoke_operator_key', {
  input: z.object({ key: z.string(), reason: z.string(), actor }),
  output: z.object({
    operatorKeyId: z.string(),
    name: z.string(),
    reason: z.string(),
    revokedAt: z.string(),
    position: positionText,
  }),
});

export const operatorKeyIdentity = z.object({
  operatorKeyId: z.string(),
  name: z.string(),
  role: operatorRole,
  /** RFC 3339. The reader compares it with its clock. */
  expiresAt: z.string(),
});

export type OperatorKeyIdentity = z.infer<typeof operatorKeyIdentity>;

/** The operator's key with a SHA-256; null for one that there is not, or that is revoked. */
export const authenticateOperatorKey = unary('trust-projection', 'authenticate_operator_key', {
  input: z.object({ keyHash: sha256Hex, atLeast: positionText.optional() }),
  output: z.object({ operatorKey: operatorKeyIdentity.nullable() }),
});

export const operatorKeyView = z.object({
  operatorKeyId: z.string().describe('Identifies the key.'),
  name: z.string().describe('Under which name its holder acts.'),
  role: operatorRole.describe('What it may do.'),
  createdAt: moment('When it was created'),
  createdBy: z
    .object({
      id: nullableText.describe('The operator who created it; null for the token of the installation.'),
      issuer: nullableText.describe('Who vouches for that operator; null for the registry itself.'),
    })
    .describe('Who created it.'),
  expiresAt: moment('Until when it works'),
  revokedAt: nullableMoment('When it was revoked; null if it was not'),
  revokedFor: nullableText.describe('Why it was revoked; null if it was not.'),
});
export type OperatorKeyView = z.infer<typeof operatorKeyView>;

/** Keys that work first, each part newest first, at most `operatorKeysListedMax`. */
export const listOperatorKeys = unary('trust-projection', 'list_operator_keys', {
  input: z.object({ limit: z.number() }),
  output: z.object({ keys: z.array(operatorKeyView) }),
});
