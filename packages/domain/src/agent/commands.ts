import type {
  AgentConfiguration,
  ClaimAuthority,
  ConfigurationPatch,
  RegistrationCredential,
  SealedContact,
  UpdateCredentials,
} from '@agent-trust/contracts';
import type { AnsweredConfirmation } from '../capability/confirm-capabilities.ts';
import type { AgentState, HeldReservation, RegisteredAgent } from './state.ts';

/** Times are RFC 3339 in UTC with milliseconds. `claimTtlSeconds` 0 means that claim links never expire. */
export type RegisterAgent = {
  type: 'RegisterAgent';
  agentId: string;
  orgName: string | null;
  orgDomain: string | null;
  publicKey: string | null;
  contact: SealedContact;
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

/** A registration as it is submitted: its contact is not sealed, its capabilities are not canonical and its domain is not reserved yet. */
export type RegistrationRequest = Omit<RegisterAgent, 'type' | 'contact' | 'answered' | 'reservation'> & {
  hasContactEmail: boolean;
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

/**
 * On the word of a signature that was verified with `publicKey`, the agent's own as the gateway read it, or with one that its domain
 * publishes, where it had none of its own (null).
 */
export type RotateBySignature = {
  type: 'RotateBySignature';
  agentId: string;
  publicKey: string | null;
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

/** What a request names of an agent: absent (undefined) stays as it is, null clears. */
export type UpdateAgent = {
  type: 'UpdateAgent';
  agentId: string;
  orgName?: string | null | undefined;
  orgDomain?: string | null | undefined;
  publicKey?: string | null | undefined;
  contact: { [Field in keyof SealedContact]?: SealedContact[Field] | undefined };
  /** Capabilities are canonical. */
  configuration: ConfigurationPatch;
  answered: readonly AnsweredConfirmation[];
  /** The live agent whose configuration takes the place of this one's, as its own stream has it; null for no pull. */
  pull: { fromAgentId: string; state: AgentState } | null;
  credentials: UpdateCredentials;
  /** The reservation of a new `orgDomain`; null while none is held, or when the domain stays. */
  reservation: HeldReservation | null;
  /** The reservation on which the agent has the org_domain that it had when the command looked, or null. */
  leaving: HeldReservation | null;
  now: string;
};

/** Moves an agent of the organisation. `voidCloneId`: an id that it keeps for a clone and that went to somebody else, or null. */
export type MoveAgent = {
  type: 'PublishAgent' | 'WithdrawAgent';
  agentId: string;
  orgId: string;
  voidCloneId: string | null;
  now: string;
};

/** Gives a live agent the configuration of its sandbox draft; `agentId` is the live agent's. */
export type PromoteAgent = {
  type: 'PromoteAgent';
  agentId: string;
  /** As its own stream has it; see `ensureDraft`. */
  draft: RegisteredAgent;
  /** The reservation of the draft's org_domain for the live agent; null while none is held, or when the domain stays. */
  reservation: HeldReservation | null;
  /** As of `UpdateAgent`. */
  leaving: HeldReservation | null;
  now: string;
};

/** Records that keys of the agent's contact are gone. `keyIds`: those that are, whether this command's giver destroyed them or somebody before. */
export type ErasePersonalData = { type: 'ErasePersonalData'; agentId: string; keyIds: readonly string[]; now: string };

/**
 * Puts texts of the contact into the stream again, sealed with another key, after the key of the first time was destroyed under them.
 * `lost` is what was written then.
 */
export type ResealContact = {
  type: 'ResealContact';
  agentId: string;
  lost: Partial<SealedContact>;
  contact: Partial<SealedContact>;
  now: string;
};

export type AgentCommand =
  | RegisterAgent
  | UpdateAgent
  | PairClone
  | MoveAgent
  | PromoteAgent
  | IssueClaim
  | RedeemClaim
  | RotateBySignature
  | LapseOrgDomainReservation
  | ErasePersonalData
  | ResealContact;
