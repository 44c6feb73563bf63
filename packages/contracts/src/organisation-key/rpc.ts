import { z } from 'zod';
import { actor } from '../actor.ts';
import { unary } from '../rpc/method.ts';
import { moment, nullableMoment, positionText, sha256Hex } from '../text.ts';
import { universe } from '../universe.ts';
import { universeKind } from './events.ts';
import { organisationScope } from './scope.ts';

/**
 * Commands for an organisation's own key of the universe. `presentedKeyHash` must still be that key at the decision: neither a named key nor
 * one that was replaced meanwhile decides over keys.
 */
const byOwnKey = { orgId: z.string(), universe: universeKind, presentedKeyHash: sha256Hex, actor };

/** Creates a named key; `expiresAt` null is the default lifetime. Refusals: invalid_api_key, organisation_disabled, org_key_name_taken, org_key_limit_reached, validation_failed. */
export const createOrganisationKey = unary('registry-write', 'create_organisation_key', {
  input: z.object({
    ...byOwnKey,
    keyId: z.string(),
    name: z.string(),
    scopes: z.array(organisationScope),
    keyHash: sha256Hex,
    expiresAt: z.string().nullable(),
  }),
  output: z.object({
    scopes: z.array(organisationScope),
    createdAt: z.string(),
    expiresAt: z.string(),
    position: positionText,
  }),
});

/**
 * Gives a named key, by its id or else its name, another secret. `expiresAt` null is as long a life as it had. Refusals: invalid_api_key,
 * organisation_disabled, org_key_not_found, org_key_ended, validation_failed.
 */
export const replaceOrganisationKey = unary('registry-write', 'replace_organisation_key', {
  input: z.object({
    ...byOwnKey,
    key: z.string(),
    keyHash: sha256Hex,
    expiresAt: z.string().nullable(),
    overlapSeconds: z.number().int().nonnegative(),
  }),
  output: z.object({
    keyId: z.string(),
    name: z.string(),
    scopes: z.array(organisationScope),
    replacedAt: z.string(),
    expiresAt: z.string(),
    formerEndsAt: z.string(),
    position: positionText,
  }),
});

/** Revokes a named key by its id, or else its name. Repeated, it answers what holds. Refusals: invalid_api_key, organisation_disabled, org_key_not_found. */
export const revokeOrganisationKey = unary('registry-write', 'revoke_organisation_key', {
  input: z.object({ ...byOwnKey, key: z.string() }),
  output: z.object({ keyId: z.string(), name: z.string(), revokedAt: z.string(), position: positionText }),
});

/** Which named key a secret belongs to. */
export const namedKeyIdentity = z.object({
  keyId: z.string(),
  name: z.string(),
  scopes: z.array(organisationScope),
  /** Until when this secret works, RFC 3339. The reader compares it with its clock. */
  expiresAt: z.string(),
});
export type NamedKeyIdentity = z.infer<typeof namedKeyIdentity>;

export const organisationKeyView = z.object({
  keyId: z.string().describe('Identifies the key.'),
  name: z.string().describe('What the organisation calls it.'),
  scopes: z.array(organisationScope).describe('What it may do.'),
  createdAt: moment('When it was created'),
  replacedAt: nullableMoment('When it got its present secret; null if that is its first one'),
  expiresAt: moment('Until when it works'),
  formerKeyEndsAt: nullableMoment('Until when its former secret works; null if there was none'),
  revokedAt: nullableMoment('When it was revoked; null if it was not'),
});
export type OrganisationKeyView = z.infer<typeof organisationKeyView>;

/** Keys of one universe: those that work first, each part newest first. `now` decides which work, RFC 3339. */
export const listOrganisationKeys = unary('trust-projection', 'list_organisation_keys', {
  input: z.object({ orgId: z.string(), universe, now: z.string(), limit: z.number() }),
  output: z.object({ keys: z.array(organisationKeyView) }),
});
