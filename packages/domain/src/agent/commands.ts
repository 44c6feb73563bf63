import type {
  AgentConfiguration,
  ClaimAuthority,
  ConfigurationPatch,
  OwnerAuthority,
  RegistrationCredential,
  SealedContact,
  UpdateCredentials,
} from '@agent-trust/contracts';
import type { AnsweredConfirmation } from '../capability/confirm-capabilities.ts';
import type { AgentState, HeldReservation, RegisteredAgent } from './state.ts';

/** A command to the stream of `agentId`. `now` is RFC 3339 in UTC with milliseconds. */
type AgentCommandOf<Type extends string> = { type: Type; agentId: string; now: string };

/** A new claim link; `claimTtlSeconds` 0 means that it never expires. */
type NewClaim = { claimTokenHash: string; claimTtlSeconds: number };

export type RegisterAgent = AgentCommandOf<'RegisterAgent'> &
  NewClaim & {
    orgName: string | null;
    orgDomain: string | null;
    publicKey: string | null;
    contact: SealedContact;
    /** Complete: fields that the request does not name come from the defaults or the cloned agent. Capabilities are canonical. */
    configuration: AgentConfiguration;
    answered: readonly AnsweredConfirmation[];
    /** The live agent that this agent is a clone of, whose stream reserves its place already; or null. */
    pairedWith: string | null;
    credential: RegistrationCredential;
    /** The reservation of `orgDomain`; null if none is held or the agent has no org_domain. */
    reservation: HeldReservation | null;
  };

/** A registration as submitted: without sealed contact, canonical capabilities and a reserved domain. */
export type RegistrationRequest = Omit<RegisterAgent, 'type' | 'contact' | 'answered' | 'reservation'> & {
  hasContactEmail: boolean;
};

/** Reserves the place of a live agent's clone; `agentId` is the live agent's. */
export type PairClone = AgentCommandOf<'PairClone'> & {
  cloneAgentId: string;
  /** The organisation of the presented sandbox key. */
  orgId: string;
  /** An id that was registered as something else than this agent's clone, or null; see `isVoidPairing`. */
  voidCloneId: string | null;
};

export type IssueClaim = AgentCommandOf<'IssueClaim'> & NewClaim & { authority: ClaimAuthority };

export type RedeemClaim = AgentCommandOf<'RedeemClaim'> & { claimTokenHash: string; newKeyHash: string };

/** `publicKey`: the agent's own, which verified the signature; null if a key that the agent's domain publishes did. */
export type RotateBySignature = AgentCommandOf<'RotateBySignature'> & { publicKey: string | null; newKeyHash: string };

/** Gives up an unused reservation of this agent, so that another agent may take the domain. */
export type LapseOrgDomainReservation = AgentCommandOf<'LapseOrgDomainReservation'> & {
  domain: string;
  reservationRevision: number;
};

/** Takes the domain, or an unused reservation of it, from this agent: another organisation has proved it. */
export type YieldOrgDomain = AgentCommandOf<'YieldOrgDomain'> & { domain: string; reservationRevision: number };

/** The fields that a request names: undefined stays, null clears. */
export type UpdateAgent = AgentCommandOf<'UpdateAgent'> & {
  orgName?: string | null | undefined;
  orgDomain?: string | null | undefined;
  publicKey?: string | null | undefined;
  contact: { [Field in keyof SealedContact]?: SealedContact[Field] | undefined };
  /** Capabilities are canonical. */
  configuration: ConfigurationPatch;
  answered: readonly AnsweredConfirmation[];
  /** The live agent whose configuration replaces this one's, with its state; null for no pull. */
  pull: { fromAgentId: string; state: AgentState } | null;
  credentials: UpdateCredentials;
  /** The reservation of a new `orgDomain`; null if none is held or the domain stays. */
  reservation: HeldReservation | null;
  /** The reservation of the org_domain that the agent had when the command read it, or null. */
  leaving: HeldReservation | null;
};

/** Moves an agent of the organisation. `voidCloneId`: see `PairClone`. */
export type MoveAgent = AgentCommandOf<'PublishAgent' | 'WithdrawAgent'> & {
  orgId: string;
  voidCloneId: string | null;
};

/** Gives a live agent the configuration of its sandbox draft; `agentId` is the live agent's. */
export type PromoteAgent = AgentCommandOf<'PromoteAgent'> &
  Pick<UpdateAgent, 'reservation' | 'leaving'> & {
    /** See `ensureDraft`. */
    draft: RegisteredAgent;
  };

/** Records that keys of the agent's contact are destroyed, by this command's caller or before. */
export type ErasePersonalData = AgentCommandOf<'ErasePersonalData'> & { keyIds: readonly string[] };

/** Writes contact texts again, sealed with another key, after an erasure destroyed the key of the `lost` ones. */
export type ResealContact = AgentCommandOf<'ResealContact'> & {
  lost: Partial<SealedContact>;
  contact: Partial<SealedContact>;
};

/** By the operator; `reason` is shown to the agent's owner. */
export type SuspendAgent = AgentCommandOf<'SuspendAgent'> & { reason: string };
export type ReinstateAgent = AgentCommandOf<'ReinstateAgent'> & { reason: string };

/** Takes reviews that the agent received out of its score; `reason` is shown to its owner. */
export type VoidReviews = AgentCommandOf<'VoidReviews'> & { transactionIds: readonly string[]; reason: string };

export type RetireAgent = AgentCommandOf<'RetireAgent'> & { authority: OwnerAuthority };

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
  | YieldOrgDomain
  | ErasePersonalData
  | ResealContact
  | SuspendAgent
  | ReinstateAgent
  | RetireAgent
  | VoidReviews;
