import type { AgentConfiguration, AgentContact, ClaimAuthority, RegistrationCredential } from '@agent-trust/contracts';

/** A reservation of an org_domain that a registration stands on: its revision in the domain's own stream. */
export type HeldReservation = { domain: string; revision: number };

/** Times are RFC 3339 in UTC with milliseconds. `claimTtlSeconds` 0 means that claim links never expire. */
export type RegisterAgent = {
  type: 'RegisterAgent';
  agentId: string;
  orgName: string | null;
  orgDomain: string | null;
  publicKey: string | null;
  contact: AgentContact;
  configuration: AgentConfiguration;
  credential: RegistrationCredential;
  /** The reservation of `orgDomain`; null while none is held, or when the agent has no org_domain. */
  reservation: HeldReservation | null;
  claimTokenHash: string;
  claimTtlSeconds: number;
  now: string;
};

export type IssueClaim = {
  type: 'IssueClaim';
  agentId: string;
  authority: ClaimAuthority;
  claimTokenHash: string;
  claimTtlSeconds: number;
  now: string;
};

export type RedeemClaim = {
  type: 'RedeemClaim';
  agentId: string;
  claimTokenHash: string;
  newKeyHash: string;
  now: string;
};

/** Gives up a reservation of this agent that was never used, so that another agent may take the domain over. */
export type LapseOrgDomainReservation = {
  type: 'LapseOrgDomainReservation';
  agentId: string;
  domain: string;
  reservationRevision: number;
  now: string;
};

export type AgentCommand = RegisterAgent | IssueClaim | RedeemClaim | LapseOrgDomainReservation;
