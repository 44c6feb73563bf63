import { z } from 'zod';
import { defineEvent, type EventOf } from '../event.ts';
import { organisationKeyCreated, organisationKeyReplaced, organisationKeyRevoked } from '../organisation-key/events.ts';
import { organisationLimitsSet } from '../quota/events.ts';
import { sha256Hex, timestamp } from '../text.ts';

/** Stream of one organisation. Its id is derived from its normalised name, so the stream itself makes names unique. */
export function organisationStream(orgId: string): string {
  return `organisation-${orgId}`;
}

export const organisationCreated = defineEvent(
  'OrganisationCreated',
  {
    orgId: z.string(),
    orgName: z.string(),
    contactEmail: z.string(),
    productionKeyHash: sha256Hex,
    sandboxKeyHash: sha256Hex,
    createdAt: timestamp,
  },
  { keysOf: { owner: 'orgId', keyHashes: ['productionKeyHash', 'sandboxKeyHash'] } },
);
/** A new sandbox key, after the former one was revoked. */
export const sandboxKeyIssued = defineEvent(
  'SandboxKeyIssued',
  { orgId: z.string(), sandboxKeyHash: sha256Hex, issuedAt: timestamp },
  { keysOf: { owner: 'orgId', keyHashes: ['sandboxKeyHash'] } },
);

/** From this event on the sandbox key fails. The sandbox and its agents stay. */
export const sandboxKeyRevoked = defineEvent(
  'SandboxKeyRevoked',
  { orgId: z.string(), revokedAt: timestamp },
  { keysOf: { owner: 'orgId', keyHashes: [] } },
);

/** A new production key; from this event on the former one fails. */
export const productionKeyReplaced = defineEvent(
  'ProductionKeyReplaced',
  { orgId: z.string(), productionKeyHash: sha256Hex, replacedAt: timestamp },
  { keysOf: { owner: 'orgId', keyHashes: ['productionKeyHash'] } },
);

/** The operator took the organisation out of service: its keys fail, and its agents count as suspended. */
export const organisationDisabled = defineEvent(
  'OrganisationDisabled',
  { orgId: z.string(), reason: z.string(), disabledAt: timestamp },
  { keysOf: { owner: 'orgId', keyHashes: [] } },
);

/** The organisation's keys work again, and its agents are as they were. */
export const organisationEnabled = defineEvent(
  'OrganisationEnabled',
  { orgId: z.string(), reason: z.string(), enabledAt: timestamp },
  { keysOf: { owner: 'orgId', keyHashes: [] } },
);

/** The operator replaced both keys; from this event on the former ones fail, and all named keys. */
export const organisationKeysReissued = defineEvent(
  'OrganisationKeysReissued',
  {
    orgId: z.string(),
    productionKeyHash: sha256Hex,
    sandboxKeyHash: sha256Hex,
    reason: z.string(),
    reissuedAt: timestamp,
  },
  { keysOf: { owner: 'orgId', keyHashes: ['productionKeyHash', 'sandboxKeyHash'] } },
);

export type OrganisationCreated = z.infer<typeof organisationCreated.event>;
export type SandboxKeyIssued = z.infer<typeof sandboxKeyIssued.event>;
export type SandboxKeyRevoked = z.infer<typeof sandboxKeyRevoked.event>;
export type ProductionKeyReplaced = z.infer<typeof productionKeyReplaced.event>;
export type OrganisationDisabled = z.infer<typeof organisationDisabled.event>;
export type OrganisationEnabled = z.infer<typeof organisationEnabled.event>;
export type OrganisationKeysReissued = z.infer<typeof organisationKeysReissued.event>;
/** Events of the stream of an organisation. */
export const organisationEvents = [
  organisationCreated,
  sandboxKeyIssued,
  sandboxKeyRevoked,
  productionKeyReplaced,
  organisationDisabled,
  organisationEnabled,
  organisationKeysReissued,
  organisationKeyCreated,
  organisationKeyReplaced,
  organisationKeyRevoked,
  organisationLimitsSet,
] as const;
export type OrganisationEvent = EventOf<(typeof organisationEvents)[number]>;
