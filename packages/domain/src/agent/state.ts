import {
  type AgentConfiguration,
  type AgentEvent,
  type AgentRegistered,
  agentNotFound,
  production,
  type SealedContact,
  type Universe,
} from '@agent-trust/contracts';
import { unreachable } from '../decider.ts';
import { addPendingClaim, claimsAfterRotation, type PendingClaim } from './pending-claims.ts';
import {
  contactAfterErasure,
  noPersonalData,
  type PersonalDataTrail,
  trailAfterContact,
  trailAfterErasure,
} from './contact.ts';

/** A reservation of an org_domain; `revision` is its place in the domain's stream. */
export type HeldReservation = { domain: string; revision: number };

/** A free agent_id. Its stream may still contain void reservations. */
export type UnregisteredAgent = { kind: 'unregistered'; lapsedReservations: readonly HeldReservation[] };

/** Beyond this, the oldest is forgotten, and the owner is asked again. */
const ownAliasesMax = 100;
export type OwnAlias = { alias: string; name: string };

export type RegisteredAgent = {
  kind: 'registered';
  agentId: string;
  universe: Universe;
  orgId: string | null;
  orgName: string | null;
  orgDomain: string | null;
  verified: boolean;
  contact: SealedContact;
  personalData: PersonalDataTrail;
  configuration: AgentConfiguration;
  /** Names that its owner has confirmed to mean a capability, newest last. */
  ownAliases: readonly OwnAlias[];
  /** The counterpart of a live agent and its sandbox clone, according to this stream; confirmed if each names the other. */
  relatedAgentId: string | null;
  publicKey: string | null;
  /** SHA-256 of the current bearer key; null until the first claim is redeemed. */
  keyHash: string | null;
  pendingClaims: readonly PendingClaim[];
  /** Void reservations: no later event of this stream may use them. */
  lapsedReservations: readonly HeldReservation[];
  suspension: Suspension | null;
  /** RFC 3339; null for an agent in service. */
  retiredAt: string | null;
};

/** Why the operator has suspended an agent, and since when (RFC 3339). */
export type Suspension = { reason: string; suspendedAt: string };

export type AgentState = UnregisteredAgent | RegisteredAgent;

export const initialAgentState: AgentState = { kind: 'unregistered', lapsedReservations: [] };

const registered = ({ lapsedReservations }: AgentState, { data }: AgentRegistered): RegisteredAgent => ({
  kind: 'registered',
  agentId: data.agentId,
  universe: data.universe,
  orgId: data.orgId,
  orgName: data.orgName,
  orgDomain: data.orgDomain,
  verified: data.verified,
  contact: data.contact,
  personalData: trailAfterContact(noPersonalData, data.contact),
  configuration: data.configuration,
  ownAliases: [],
  relatedAgentId: null,
  publicKey: data.publicKey,
  keyHash: null,
  pendingClaims: [],
  lapsedReservations,
  suspension: null,
  retiredAt: null,
});

/** Later reservations of one domain have higher revisions, so the newest one is enough. */
const lapsedWith = ({ lapsedReservations }: AgentState, lapsed: HeldReservation): HeldReservation[] => [
  ...lapsedReservations.filter(({ domain }) => domain !== lapsed.domain),
  lapsed,
];

/** Throws if the event cannot stand there: a fault of the log, not of a client. */
export function evolveAgent(state: AgentState, event: AgentEvent): AgentState {
  switch (event.type) {
    case 'AgentRegistered':
      return registered(state, event);
    case 'OrgDomainReservationLapsed':
      return {
        ...state,
        lapsedReservations: lapsedWith(state, {
          domain: event.data.domain,
          revision: event.data.reservationRevision,
        }),
      };
    default:
      return evolveRegistered(ensureRegistered(state, event.type), event);
  }
}

type LaterEvent = Exclude<AgentEvent, { type: 'AgentRegistered' | 'OrgDomainReservationLapsed' }>;

const evolveRegistered = (agent: RegisteredAgent, event: LaterEvent): RegisteredAgent => {
  switch (event.type) {
    case 'ClaimIssued':
      return { ...agent, pendingClaims: addPendingClaim(agent.pendingClaims, event.data) };
    case 'KeyRotated': {
      const { keyHash, claimTokenHash } = event.data;
      return { ...agent, keyHash, pendingClaims: claimsAfterRotation(agent.pendingClaims, claimTokenHash) };
    }
    case 'ConfigurationChanged':
    case 'ConfigurationPulled':
    case 'ConfigurationPromoted':
      return { ...agent, configuration: event.data.configuration };
    case 'ContactChanged':
      return {
        ...agent,
        contact: event.data.contact,
        personalData: trailAfterContact(agent.personalData, event.data.contact),
      };
    case 'PersonalDataErased':
      return {
        ...agent,
        contact: contactAfterErasure(agent.contact, event.data),
        personalData: trailAfterErasure(agent.personalData, event.data),
      };
    case 'PublicKeyReplaced':
      return { ...agent, publicKey: event.data.publicKey };
    case 'AgentAdopted':
      return { ...agent, orgId: event.data.orgId, orgName: event.data.orgName, verified: true };
    case 'OrgNameChanged':
      return { ...agent, orgName: event.data.orgName };
    case 'OrgDomainChanged':
      return { ...agent, orgDomain: event.data.orgDomain };
    case 'OrgDomainYielded': {
      const { domain, reservationRevision: revision } = event.data;
      return { ...agent, orgDomain: null, lapsedReservations: lapsedWith(agent, { domain, revision }) };
    }
    case 'ClonePaired':
      return { ...agent, relatedAgentId: event.data.relatedAgentId };
    case 'AgentPublished':
      return { ...agent, universe: production };
    case 'AgentWithdrawn':
      return { ...agent, universe: { kind: 'sandbox', orgId: event.data.orgId } };
    case 'AgentSuspended': {
      const { reason, suspendedAt } = event.data;
      return { ...agent, suspension: { reason, suspendedAt } };
    }
    case 'AgentReinstated':
      return { ...agent, suspension: null };
    case 'AgentRetired':
      return { ...agent, retiredAt: event.data.retiredAt };
    case 'ReviewsVoided':
      return agent;
    case 'CapabilityConfirmationAnswered': {
      const { submitted: alias, candidate: name, accepted } = event.data;
      const others = agent.ownAliases.filter((own) => own.alias !== alias);
      return { ...agent, ownAliases: accepted ? [...others, { alias, name }].slice(-ownAliasesMax) : others };
    }
    default:
      return unreachable(event);
  }
};

const ensureRegistered = (state: AgentState, eventType: string): RegisteredAgent => {
  if (state.kind === 'unregistered') throw new Error(`${eventType} stands before AgentRegistered in an agent's stream`);
  return state;
};

/** Refuses with `agent_not_found`, also if the agent must stay hidden from the caller (`isVisible`). */
export function ensureRegisteredAgent(agentId: string, state: AgentState, isVisible = true): RegisteredAgent {
  if (state.kind === 'registered' && isVisible) return state;
  throw agentNotFound(agentId);
}
