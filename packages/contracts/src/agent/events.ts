import { z } from 'zod';
import { capabilityConfirmationAnswered } from '../capability/events.ts';
import { defineEvent, type EventOf } from '../event.ts';
import { nullableText, sha256Hex, timestamp } from '../text.ts';
import { universe } from '../universe.ts';
import { personalDataErased, sealedContact } from '../personal-data/events.ts';
import { agentConfiguration, configurationField } from './configuration.ts';

/** Stream of one agent: everything that happened to its identity, credentials and configuration. */
export function agentStream(agentId: string): string {
  return `agent-${agentId}`;
}
/** Reservations of an org_domain. Several agents of one organisation may hold it at a time, never agents of two. */
export function orgDomainStream(domain: string): string {
  return `org_domain-${domain}`;
}

const claimReason = z.enum(['registration', 'organisation', 'admin', 'agent', 'uncredentialed']);
export type ClaimReason = z.infer<typeof claimReason>;

/** A new agent. */
export const agentRegistered = defineEvent(
  'AgentRegistered',
  {
    agentId: z.string(),
    universe,
    /** The organisation whose key registered it; null for an agent registered anonymously or by the admin. */
    orgId: nullableText,
    orgName: nullableText,
    orgDomain: nullableText,
    verified: z.boolean(),
    /** The prior of the trust score: 75 with an org key or by the admin, else 40. */
    trustPrior: z.number(),
    publicKey: nullableText,
    contact: sealedContact,
    configuration: agentConfiguration,
    registeredAt: timestamp,
  },
  {
    profileOf: ['agentId'],
    shownToOwner: [
      'agentId',
      'orgName',
      'orgDomain',
      'verified',
      'trustPrior',
      'publicKey',
      'configuration',
      'registeredAt',
    ],
  },
);

/** A claim link was issued; only its token's hash is known here. */
export const claimIssued = defineEvent(
  'ClaimIssued',
  {
    agentId: z.string(),
    claimTokenHash: sha256Hex,
    reason: claimReason,
    issuedAt: timestamp,
    /** Null when claim links do not expire (CLAIM_TOKEN_TTL_SECONDS=0). */
    expiresAt: timestamp.nullable(),
  },
  { shownToOwner: ['agentId', 'reason', 'issuedAt', 'expiresAt'] },
);

/** A claim was redeemed and a new bearer key minted: from this event on the previous key fails. */
export const keyRotated = defineEvent(
  'KeyRotated',
  {
    agentId: z.string(),
    keyHash: sha256Hex,
    /** The redeemed claim; null if a signature requested the key. */
    claimTokenHash: sha256Hex.nullable(),
    rotatedAt: timestamp,
  },
  {
    standingOf: ['agentId'],
    keysOf: { owner: 'agentId', keyHashes: ['keyHash'] },
    shownToOwner: ['agentId', 'rotatedAt'],
  },
);

/** From now on the agent may take this domain. `orgId` is the organisation of the reservation, null for none. */
export const orgDomainReserved = defineEvent(
  'OrgDomainReserved',
  { domain: z.string(), agentId: z.string(), orgId: nullableText, reservedAt: timestamp },
  { shownToOwner: ['agentId', 'domain', 'reservedAt'] },
);

/** A reservation that lapsed in its holder's own stream no longer counts, which permits the next reservation. */
export const orgDomainReleased = defineEvent(
  'OrgDomainReleased',
  {
    domain: z.string(),
    agentId: z.string(),
    /** Revision, in this stream, of the reservation that is void. */
    reservationRevision: z.int().nonnegative(),
    releasedAt: timestamp,
  },
  { shownToOwner: ['agentId', 'domain', 'releasedAt'] },
);

/**
 * A reservation of an org_domain for this agent is void: it expired unused, or the agent has left the domain. The event is in the agent's own
 * stream, so the append of a slow registration or update conflicts with it, and the command must reserve again.
 */
export const orgDomainReservationLapsed = defineEvent(
  'OrgDomainReservationLapsed',
  {
    agentId: z.string(),
    domain: z.string(),
    /** Revision, in the domain's stream, of the reservation that is void. */
    reservationRevision: z.int().nonnegative(),
    lapsedAt: timestamp,
  },
  { shownToOwner: ['agentId', 'domain', 'lapsedAt'] },
);

/** The owner changed an agent's configuration. `configuration` is complete, after the change. */
export const configurationChanged = defineEvent(
  'ConfigurationChanged',
  {
    agentId: z.string(),
    configuration: agentConfiguration,
    changedFields: z.array(configurationField),
    changedAt: timestamp,
  },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'configuration', 'changedFields', 'changedAt'] },
);

/** A sandbox clone took the configuration of its live agent, except for fields of the same request. */
export const configurationPulled = defineEvent(
  'ConfigurationPulled',
  {
    agentId: z.string(),
    fromAgentId: z.string(),
    configuration: agentConfiguration,
    changedFields: z.array(configurationField),
    pulledAt: timestamp,
  },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'configuration', 'changedFields', 'fromAgentId', 'pulledAt'] },
);

/** A live agent got the configuration of its sandbox draft and keeps its own record. */
export const configurationPromoted = defineEvent(
  'ConfigurationPromoted',
  {
    agentId: z.string(),
    fromAgentId: z.string(),
    configuration: agentConfiguration,
    changedFields: z.array(configurationField),
    promotedAt: timestamp,
  },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'configuration', 'changedFields', 'fromAgentId', 'promotedAt'] },
);

/** `contact` is complete, after the change. */
export const contactChanged = defineEvent(
  'ContactChanged',
  { agentId: z.string(), contact: sealedContact, changedAt: timestamp },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'changedAt'] },
);

/** From this event on signatures are checked against the new key; null leaves the agent without one of its own. */
export const publicKeyReplaced = defineEvent(
  'PublicKeyReplaced',
  { agentId: z.string(), publicKey: nullableText, replacedAt: timestamp },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'publicKey', 'replacedAt'] },
);

/** An agent without an organisation joined this one: verified from now on, with its score and prior unchanged. */
export const agentAdopted = defineEvent(
  'AgentAdopted',
  { agentId: z.string(), orgId: z.string(), orgName: z.string(), adoptedAt: timestamp },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'orgName', 'adoptedAt'] },
);

/** The admin set the name of an organisation; that gives no organisation a right to the agent. */
export const orgNameChanged = defineEvent(
  'OrgNameChanged',
  { agentId: z.string(), orgName: nullableText, changedAt: timestamp },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'orgName', 'changedAt'] },
);

export const orgDomainChanged = defineEvent(
  'OrgDomainChanged',
  { agentId: z.string(), orgDomain: nullableText, changedAt: timestamp },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'orgDomain', 'changedAt'] },
);

/**
 * The agent lost its org_domain, because another organisation proved it: the reservation is void, too. Everything else stays. An agent that
 * is registered before its reservation is void always has this event, or never had the domain.
 */
export const orgDomainYielded = defineEvent(
  'OrgDomainYielded',
  {
    agentId: z.string(),
    domain: z.string(),
    /** Revision, in the domain's stream, of the reservation that is void. */
    reservationRevision: z.int().nonnegative(),
    yieldedAt: timestamp,
  },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'domain', 'yieldedAt'] },
);

/**
 * One side of a pair of a live agent and its sandbox clone. The event is written first to the live agent's stream, which reserves the pair,
 * then to the clone's, together with its registration. With both sides the pair is confirmed, permanently.
 */
export const clonePaired = defineEvent(
  'ClonePaired',
  { agentId: z.string(), relatedAgentId: z.string(), pairedAt: timestamp },
  { profileOf: ['agentId', 'relatedAgentId'], shownToOwner: ['agentId', 'relatedAgentId', 'pairedAt'] },
);

/** A sandbox agent moved into production, with its id and its record. */
export const agentPublished = defineEvent(
  'AgentPublished',
  { agentId: z.string(), orgId: z.string(), publishedAt: timestamp },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'publishedAt'] },
);

/** A live agent moved into its organisation's sandbox, with its id and its record. */
export const agentWithdrawn = defineEvent(
  'AgentWithdrawn',
  { agentId: z.string(), orgId: z.string(), withdrawnAt: timestamp },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'withdrawnAt'] },
);

/** The operator took the agent out of service: nobody reaches it or acts as it, and it is shown with a score of 0. */
export const agentSuspended = defineEvent(
  'AgentSuspended',
  { agentId: z.string(), reason: z.string(), suspendedAt: timestamp },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'reason', 'suspendedAt'] },
);

/** The agent is in service again, with what it has earned. */
export const agentReinstated = defineEvent(
  'AgentReinstated',
  { agentId: z.string(), reason: z.string(), reinstatedAt: timestamp },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'reason', 'reinstatedAt'] },
);

/** The owner took the agent out of service for good. Its id stays taken. */
export const agentRetired = defineEvent(
  'AgentRetired',
  { agentId: z.string(), retiredAt: timestamp },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'retiredAt'] },
);

/** The operator takes reviews of production that the agent received out of its score. What was shown until then stays so for its time. */
export const reviewsVoided = defineEvent(
  'ReviewsVoided',
  {
    agentId: z.string(),
    /** The exchanges that were reviewed. One that is void already stays so. */
    transactionIds: z.array(z.string()),
    reason: z.string(),
    voidedAt: timestamp,
  },
  { standingOf: ['agentId'], shownToOwner: ['agentId', 'transactionIds', 'reason', 'voidedAt'] },
);

export type AgentRegistered = z.infer<typeof agentRegistered.event>;
export type ClaimIssued = z.infer<typeof claimIssued.event>;
export type KeyRotated = z.infer<typeof keyRotated.event>;
export type OrgDomainReserved = z.infer<typeof orgDomainReserved.event>;
export type OrgDomainReleased = z.infer<typeof orgDomainReleased.event>;
export type OrgDomainReservationLapsed = z.infer<typeof orgDomainReservationLapsed.event>;
export type ConfigurationChanged = z.infer<typeof configurationChanged.event>;
export type ConfigurationPulled = z.infer<typeof configurationPulled.event>;
export type ConfigurationPromoted = z.infer<typeof configurationPromoted.event>;
export type ContactChanged = z.infer<typeof contactChanged.event>;
export type PublicKeyReplaced = z.infer<typeof publicKeyReplaced.event>;
export type AgentAdopted = z.infer<typeof agentAdopted.event>;
export type OrgNameChanged = z.infer<typeof orgNameChanged.event>;
export type OrgDomainChanged = z.infer<typeof orgDomainChanged.event>;
export type OrgDomainYielded = z.infer<typeof orgDomainYielded.event>;
export type ClonePaired = z.infer<typeof clonePaired.event>;
export type AgentPublished = z.infer<typeof agentPublished.event>;
export type AgentWithdrawn = z.infer<typeof agentWithdrawn.event>;
export type AgentSuspended = z.infer<typeof agentSuspended.event>;
export type AgentReinstated = z.infer<typeof agentReinstated.event>;
export type AgentRetired = z.infer<typeof agentRetired.event>;
export type ReviewsVoided = z.infer<typeof reviewsVoided.event>;

/** Events of the stream of an agent. */
export const agentEvents = [
  agentRegistered,
  claimIssued,
  keyRotated,
  orgDomainReservationLapsed,
  configurationChanged,
  configurationPulled,
  configurationPromoted,
  contactChanged,
  personalDataErased,
  publicKeyReplaced,
  agentAdopted,
  orgNameChanged,
  orgDomainChanged,
  orgDomainYielded,
  clonePaired,
  agentPublished,
  agentWithdrawn,
  agentSuspended,
  agentReinstated,
  agentRetired,
  reviewsVoided,
  capabilityConfirmationAnswered,
] as const;
export type AgentEvent = EventOf<(typeof agentEvents)[number]>;
