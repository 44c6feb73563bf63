import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { sha256Hex, timestamp } from '../text.ts';
import { organisationScope } from './scope.ts';

/** The universe that a key opens; the sandbox is that of its organisation. */
export const universeKind = z.enum(['production', 'sandbox']);
export type UniverseKind = z.infer<typeof universeKind>;

/** A named key in addition to the organisation's two. It works from this event on until it expires. */
export const organisationKeyCreated = defineEvent(
  'OrganisationKeyCreated',
  {
    orgId: z.string(),
    keyId: z.string(),
    universe: universeKind,
    name: z.string(),
    scopes: z.array(organisationScope),
    keyHash: sha256Hex,
    createdAt: timestamp,
    expiresAt: timestamp,
  },
  { keysOf: { owner: 'orgId', keyHashes: ['keyHash'] } },
);

/** A named key has another secret. The former one works until `formerEndsAt`; one from before that fails. */
export const organisationKeyReplaced = defineEvent(
  'OrganisationKeyReplaced',
  {
    orgId: z.string(),
    keyId: z.string(),
    keyHash: sha256Hex,
    replacedAt: timestamp,
    expiresAt: timestamp,
    formerEndsAt: timestamp,
  },
  { keysOf: { owner: 'orgId', keyHashes: ['keyHash'] } },
);

/** From this event on the named key fails, with each of its secrets. */
export const organisationKeyRevoked = defineEvent(
  'OrganisationKeyRevoked',
  { orgId: z.string(), keyId: z.string(), revokedAt: timestamp },
  { keysOf: { owner: 'orgId', keyHashes: [] } },
);

export type OrganisationKeyCreated = z.infer<typeof organisationKeyCreated.event>;
export type OrganisationKeyReplaced = z.infer<typeof organisationKeyReplaced.event>;
export type OrganisationKeyRevoked = z.infer<typeof organisationKeyRevoked.event>;
