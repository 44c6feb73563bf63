import type { AgentConfiguration, AgentContact, ClaimAuthority, RegistrationCredential } from '@agent-trust/contracts';
import type { AnsweredConfirmation } from '../capability/confirm-capabilities.ts';

/** A reservation of an org_domain that a registration or an update stands on: its revision in the domain's own stream. */
export type HeldReservation = { domain: string; revision: number };

/** Times are RFC 3339 in UTC with milliseconds. `claimTtlSeconds` 0 means that claim links never expire. */
export type RegisterAgent = {
  type: 'RegisterAgent';
  agentId: string;
  orgName: string | null;
  orgDomain: string | null;
  publicKey: string | null;
  contact: AgentContact;
  /** The whole of it: what the request does not name is filled in with defaults, or from the agent that is cloned. Capabilities are canonical. */
  configuration: AgentConfiguration;
  /** What the client said of the names that are close to canonical ones. */
  answered: readonly AnsweredConfirmation[];
  /** The live agent that this is the clone of; its stream keeps the place already. Null for an agent of its own. */
  pairedWith: string | null;
  credential: RegistrationCredential;
  /** The reservation of `orgDomain`; null while none is held, or when the agent has no org_domain. */
  reservation: HeldReservation | null;
  claimTokenHash: string;
  claimTtlSeconds: number;
  now: string;
};

/** Keeps the place of a live agent's clone; `agentId` is the live agent's. */
export type PairClone = {
  type: 'PairClone';
  agentId: string;
  cloneAgentId: string;
  /** The organisation whose sandbox key asks. */
  orgId: string;
  /** An id that was registered as something else than this agent's clone, or null; see `isVoidPairing`. */
  voidCloneId: string | null;
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

/** Gives up a reservation of this agent that led to nothing, so that another agent may take the domain over. */
export type LapseOrgDomainReservation = {
  type: 'LapseOrgDomainReservation';
  agentId: string;
  domain: string;
  reservationRevision: number;
  now: string;
};

export type AgentCommand = RegisterAgent | PairClone | IssueClaim | RedeemClaim | LapseOrgDomainReservation;
