import { z } from 'zod';
import { event } from '../event.ts';
import { sha256Hex, timestamp } from '../text.ts';
import { universe } from '../universe.ts';
import { agentConfiguration, agentContact } from './configuration.ts';

/** Stream of one agent: everything that happened to its identity, credentials and configuration. */
export const agentStream = (agentId: string): string => `agent-${agentId}`;
/** Reservation of an org_domain: whoever appends first to it holds the domain. */
export const orgDomainStream = (domain: string): string => `org_domain-${domain}`;

const claimReason = z.enum(['registration', 'organisation', 'admin', 'agent', 'uncredentialed']);
export type ClaimReason = z.infer<typeof claimReason>;

/** A new agent. `claimTokenHash` is the SHA-256 of the single-use token in its first claim link. */
export const agentRegistered = event('AgentRegistered', 1, {
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
  contact: agentContact,
  configuration: agentConfiguration,
  registeredAt: timestamp,
});

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

export const orgDomainReserved = event('OrgDomainReserved', 1, {
  domain: z.string(),
  agentId: z.string(),
  orgId: z.string().nullable(),
  reservedAt: timestamp,
});

/**
 * A reservation of an org_domain for this agent ran out unused and was given up, so that another agent may take the domain.
 * It stands in the agent's own stream: a registration that was only slow loses its append to it and learns that it must reserve again.
 */
export const orgDomainReservationLapsed = event('OrgDomainReservationLapsed', 1, {
  agentId: z.string(),
  domain: z.string(),
  /** Revision, in the domain's stream, of the reservation that is void. */
  reservationRevision: z.int().nonnegative(),
  lapsedAt: timestamp,
});

export type AgentRegistered = z.infer<typeof agentRegistered.event>;
export type ClaimIssued = z.infer<typeof claimIssued.event>;
export type KeyRotated = z.infer<typeof keyRotated.event>;
export type OrgDomainReserved = z.infer<typeof orgDomainReserved.event>;
export type OrgDomainReservationLapsed = z.infer<typeof orgDomainReservationLapsed.event>;
export type AgentEvent = AgentRegistered | ClaimIssued | KeyRotated | OrgDomainReservationLapsed;
