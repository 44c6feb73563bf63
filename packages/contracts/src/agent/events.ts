import { z } from 'zod';
import type { CapabilityConfirmationAnswered } from '../capability/events.ts';
import { event } from '../event.ts';
import { sha256Hex, timestamp } from '../text.ts';
import { universe } from '../universe.ts';
import type { PersonalDataErased } from '../personal-data/events.ts';
import { recordedContact, upcastContactInClear } from '../personal-data/recorded-contact.ts';
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

/** A new agent. Version 1 had the contact in clear. */
export const agentRegistered = event(
  'AgentRegistered',
  2,
  {
    agentId: z.string(),
    universe,
    /** The organisation whose key registered it; null for a stranger's or the admin's agent. */
    orgId: z.string().nullable(),
    orgName: z.string().nullable(),
    orgDomain: z.string().nullable(),
    verified: z.boolean(),
    /** The prior of the trust score: 75 with an org key or by the admin's word, else 40. */
    trustPrior: z.number(),
    publicKey: z.string().nullable(),
    contact: recordedContact,
    configuration: agentConfiguration,
    registeredAt: timestamp,
  },
  { 1: upcastContactInClear },
);

/** A claim link was issued; only its token's hash is known here. */
export const claimIssued = event('ClaimIssued', 1, {
  agentId: z.string(),
  claimTokenHash: sha256Hex,
  reason: claimReason,
  issuedAt: timestamp,
  /** Null when claim links do not expire (CLAIM_TOKEN_TTL_SECONDS=0). */
  expiresAt: timestamp.nullable(),
});

/** A claim was redeemed and a new bearer key minted: from this event on the previous key fails. */
export const keyRotated = event('KeyRotated', 1, {
  agentId: z.string(),
  keyHash: sha256Hex,
  /** The claim that paid for it; null when the key was minted by a signature. */
  claimTokenHash: sha256Hex.nullable(),
  rotatedAt: timestamp,
});

/** From now on an agent may be registered with, or given, this domain. `orgId` is the organisation that it is reserved for, null for none. */
export const orgDomainReserved = event('OrgDomainReserved', 1, {
  domain: z.string(),
  agentId: z.string(),
  orgId: z.string().nullable(),
  reservedAt: timestamp,
});

/** A reservation that lapsed in its holder's own stream no longer counts; it makes room for the reservation that follows it. */
export const orgDomainReleased = event('OrgDomainReleased', 1, {
  domain: z.string(),
  agentId: z.string(),
  /** Revision, in this stream, of the reservation that is void. */
  reservationRevision: z.int().nonnegative(),
  releasedAt: timestamp,
});

/**
 * A reservation of an org_domain for this agent is void: it ran out unused, or the agent has left the domain. It stands in the agent's
 * own stream: a registration or update that was only slow loses its append to it and learns that it must reserve again.
 */
export const orgDomainReservationLapsed = event('OrgDomainReservationLapsed', 1, {
  agentId: z.string(),
  domain: z.string(),
  /** Revision, in the domain's stream, of the reservation that is void. */
  reservationRevision: z.int().nonnegative(),
  lapsedAt: timestamp,
});

/** What an agent says of itself has changed, by its owner's word. `configuration` is the whole of it, after the change. */
export const configurationChanged = event('ConfigurationChanged', 1, {
  agentId: z.string(),
  configuration: agentConfiguration,
  changedFields: z.array(configurationField),
  changedAt: timestamp,
});

/** A sandbox clone took over the configuration of the live agent that it is paired with; fields named in the same request won. */
export const configurationPulled = event('ConfigurationPulled', 1, {
  agentId: z.string(),
  fromAgentId: z.string(),
  configuration: agentConfiguration,
  changedFields: z.array(configurationField),
  pulledAt: timestamp,
});

/** A live agent was given the configuration of its sandbox draft. What it has earned stays its own. */
export const configurationPromoted = event('ConfigurationPromoted', 1, {
  agentId: z.string(),
  fromAgentId: z.string(),
  configuration: agentConfiguration,
  changedFields: z.array(configurationField),
  promotedAt: timestamp,
});

/** `contact` is the whole of it, after the change. Version 1 had it in clear. */
export const contactChanged = event(
  'ContactChanged',
  2,
  {
    agentId: z.string(),
    contact: recordedContact,
    changedAt: timestamp,
  },
  { 1: upcastContactInClear },
);

/** From this event on signatures are checked against the new key; null leaves the agent without one of its own. */
export const publicKeyReplaced = event('PublicKeyReplaced', 1, {
  agentId: z.string(),
  publicKey: z.string().nullable(),
  replacedAt: timestamp,
});

/** An agent without an organisation became this one's: verified from now on, its score and prior as earned. */
export const agentAdopted = event('AgentAdopted', 1, {
  agentId: z.string(),
  orgId: z.string(),
  orgName: z.string(),
  adoptedAt: timestamp,
});

/** The name of an organisation as the admin's word has it; it gives no organisation a right to the agent. */
export const orgNameChanged = event('OrgNameChanged', 1, {
  agentId: z.string(),
  orgName: z.string().nullable(),
  changedAt: timestamp,
});

export const orgDomainChanged = event('OrgDomainChanged', 1, {
  agentId: z.string(),
  orgDomain: z.string().nullable(),
  changedAt: timestamp,
});

/**
 * One side of a pair of a live agent and its sandbox clone. It stands first in the live agent's stream, where it keeps the place for
 * the clone, then in the clone's, together with its registration. Both sides make the pair confirmed, and that is for ever.
 */
export const clonePaired = event('ClonePaired', 1, {
  agentId: z.string(),
  relatedAgentId: z.string(),
  pairedAt: timestamp,
});

/** A sandbox agent went into production under its own id, with all that it has earned. */
export const agentPublished = event('AgentPublished', 1, {
  agentId: z.string(),
  orgId: z.string(),
  publishedAt: timestamp,
});

/** A live agent went into its organisation's sandbox under its own id, with all that it has earned. */
export const agentWithdrawn = event('AgentWithdrawn', 1, {
  agentId: z.string(),
  orgId: z.string(),
  withdrawnAt: timestamp,
});

export type AgentRegistered = z.infer<typeof agentRegistered.event>;
export type ClaimIssued = z.infer<typeof claimIssued.event>;
export type KeyRotated = z.infer<typeof keyRotated.event>;
export type OrgDomainReserved = z.infer<typeof orgDomainReserved.event>;
export type OrgDomainReleased = z.infer<typeof orgDomainReleased.event>;
/** Events of the stream of an org_domain. */
export type OrgDomainEvent = OrgDomainReserved | OrgDomainReleased;
export type OrgDomainReservationLapsed = z.infer<typeof orgDomainReservationLapsed.event>;
export type ConfigurationChanged = z.infer<typeof configurationChanged.event>;
export type ConfigurationPulled = z.infer<typeof configurationPulled.event>;
export type ConfigurationPromoted = z.infer<typeof configurationPromoted.event>;
export type ContactChanged = z.infer<typeof contactChanged.event>;
export type PublicKeyReplaced = z.infer<typeof publicKeyReplaced.event>;
export type AgentAdopted = z.infer<typeof agentAdopted.event>;
export type OrgNameChanged = z.infer<typeof orgNameChanged.event>;
export type OrgDomainChanged = z.infer<typeof orgDomainChanged.event>;
export type ClonePaired = z.infer<typeof clonePaired.event>;
export type AgentPublished = z.infer<typeof agentPublished.event>;
export type AgentWithdrawn = z.infer<typeof agentWithdrawn.event>;
export type AgentEvent =
  | AgentRegistered
  | ClaimIssued
  | KeyRotated
  | OrgDomainReservationLapsed
  | ConfigurationChanged
  | ConfigurationPulled
  | ConfigurationPromoted
  | ContactChanged
  | PersonalDataErased
  | PublicKeyReplaced
  | AgentAdopted
  | OrgNameChanged
  | OrgDomainChanged
  | ClonePaired
  | AgentPublished
  | AgentWithdrawn
  | CapabilityConfirmationAnswered;
