import { z } from 'zod';
import { orgDomainReleased, orgDomainReserved } from '../agent/events.ts';
import { defineEvent, type EventOf } from '../event.ts';
import { sha256Hex, timestamp } from '../text.ts';

/** Where a proof's token is published: a page of the domain's web server, or a TXT record. */
export const domainProofMethod = z.enum(['https', 'dns']);
export type DomainProofMethod = z.infer<typeof domainProofMethod>;

const ofOrganisation = { domain: z.string(), orgId: z.string() };

/** The agents that hold the domain at the time of the event: what is shown of those of the organisation may change. */
const agentIds = z.array(z.string());

/**
 * An organisation asked how to prove a domain. The token is published by the organisation, and is made from a secret of the registry; it
 * proves the domain for this organisation alone.
 */
export const orgDomainProofRequested = defineEvent('OrgDomainProofRequested', {
  ...ofOrganisation,
  tokenHash: sha256Hex,
  requestedAt: timestamp,
});

/** The organisation's token was found at the domain. From now on no other organisation may reserve the domain. */
export const orgDomainProved = defineEvent(
  'OrgDomainProved',
  {
    ...ofOrganisation,
    method: domainProofMethod,
    /** The name whose page or record had the token: the domain, or its registrable domain. */
    foundAt: z.string(),
    tokenHash: sha256Hex,
    agentIds,
    provedAt: timestamp,
  },
  { profileOf: ['agentIds'] },
);

/** The operator vouches for the organisation's domain: it counts as proved, and is not looked at again. */
export const orgDomainVouchedFor = defineEvent(
  'OrgDomainVouchedFor',
  { ...ofOrganisation, reason: z.string(), agentIds, vouchedAt: timestamp },
  { profileOf: ['agentIds'] },
);

/** The token of a proof was looked for again; nothing changes with this event alone. */
export const orgDomainProofChecked = defineEvent('OrgDomainProofChecked', {
  ...ofOrganisation,
  /** Null if it was found nowhere. */
  method: domainProofMethod.nullable(),
  checkedAt: timestamp,
});

/** The token was missing repeatedly. The proof counts for a while yet, and the lapse is shown. */
export const orgDomainProofLapsed = defineEvent(
  'OrgDomainProofLapsed',
  { ...ofOrganisation, agentIds, lapsedAt: timestamp },
  { profileOf: ['agentIds'] },
);

/** The token of a lapsed proof was found again. */
export const orgDomainProofRestored = defineEvent(
  'OrgDomainProofRestored',
  { ...ofOrganisation, agentIds, restoredAt: timestamp },
  { profileOf: ['agentIds'] },
);

export const domainProofEnd = z.enum(['lapsed', 'replaced', 'withdrawn']);

/**
 * The proof counts no longer: it was lapsed for too long, another organisation proved the domain while this one's token was gone, or the
 * operator withdrew it. Agents keep the domain until somebody else proves it.
 */
export const orgDomainProofEnded = defineEvent(
  'OrgDomainProofEnded',
  {
    ...ofOrganisation,
    cause: domainProofEnd,
    /** The operator's, if it withdrew the proof. */
    reason: z.string().nullable(),
    agentIds,
    endedAt: timestamp,
  },
  { profileOf: ['agentIds'] },
);

export type OrgDomainProofRequested = z.infer<typeof orgDomainProofRequested.event>;
export type OrgDomainProved = z.infer<typeof orgDomainProved.event>;
export type OrgDomainVouchedFor = z.infer<typeof orgDomainVouchedFor.event>;
export type OrgDomainProofChecked = z.infer<typeof orgDomainProofChecked.event>;
export type OrgDomainProofLapsed = z.infer<typeof orgDomainProofLapsed.event>;
export type OrgDomainProofRestored = z.infer<typeof orgDomainProofRestored.event>;
export type OrgDomainProofEnded = z.infer<typeof orgDomainProofEnded.event>;

/** Events of the stream of an org_domain: who holds it, and who has proved it. */
export const orgDomainEvents = [
  orgDomainReserved,
  orgDomainReleased,
  orgDomainProofRequested,
  orgDomainProved,
  orgDomainVouchedFor,
  orgDomainProofChecked,
  orgDomainProofLapsed,
  orgDomainProofRestored,
  orgDomainProofEnded,
] as const;
export type OrgDomainEvent = EventOf<(typeof orgDomainEvents)[number]>;
