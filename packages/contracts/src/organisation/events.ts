import { z } from 'zod';
import { defineEvent, type EventOf } from '../event.ts';
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

export type OrganisationCreated = z.infer<typeof organisationCreated.event>;
export type SandboxKeyIssued = z.infer<typeof sandboxKeyIssued.event>;
export type SandboxKeyRevoked = z.infer<typeof sandboxKeyRevoked.event>;
export type ProductionKeyReplaced = z.infer<typeof productionKeyReplaced.event>;
/** Events of the stream of an organisation. */
export const organisationEvents = [
  organisationCreated,
  sandboxKeyIssued,
  sandboxKeyRevoked,
  productionKeyReplaced,
] as const;
export type OrganisationEvent = EventOf<(typeof organisationEvents)[number]>;
