import {
  type AgentConfiguration,
  type AgentEvent,
  type AgentRegistered,
  type PersonalDataErased,
  production,
  type SealedContact,
  type Universe,
} from '@agent-trust/contracts';
import { unreachable } from '../decider.ts';
import { addPendingClaim, claimsAfterRotation, type PendingClaim } from './claim/pending-claims.ts';
import { contactAfterErasure } from './personal-data/is-erased.ts';
import { noPersonalData, type PersonalDataTrail, trailAfterContact, trailAfterErasure } from './personal-data/trail.ts';

/** A reservation of an org_domain that a registration or an update stands on: its revision in the domain's own stream. */
export type HeldReservation = { domain: string; revision: number };

/** An agent_id nobody has. Its stream may still hold reservations that ran out. */
export type UnregisteredAgent = { kind: 'unregistered'; lapsedReservations: readonly HeldReservation[] };

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
  /** The other side of the pair of a live agent and its sandbox clone, as this agent's own stream has it; confirmed when both name each other. */
  relatedAgentId: string | null;
  publicKey: string | null;
  /** SHA-256 of the bearer key that works now; null until the first claim is redeemed. */
  keyHash: string | null;
  pendingClaims: readonly PendingClaim[];
  /** Reservations of org_domains that this agent let run out: no later event of its stream may stand on them. */
  lapsedReservations: readonly HeldReservation[];
};

export type AgentState = UnregisteredAgent | RegisteredAgent;

export const initialAgentState: AgentState = { kind: 'unregistered', lapsedReservations: [] };

const registered = (state: AgentState, { data }: AgentRegistered): RegisteredAgent => ({
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
  relatedAgentId: null,
  publicKey: data.publicKey,
  keyHash: null,
  pendingClaims: [],
  lapsedReservations: state.lapsedReservations,
});

const lapse = (state: AgentState, lapsed: HeldReservation): AgentState => ({
  ...state,
  // Later reservations of one domain have higher revisions, so the newest one says it all.
  lapsedReservations: [...state.lapsedReservations.filter(({ domain }) => domain !== lapsed.domain), lapsed],
});

/** What an agent is after one more event of its stream. An event that cannot stand there is a fault of the log, not of a client. */
export function evolveAgent(state: AgentState, event: AgentEvent): AgentState {
  switch (event.type) {
    case 'AgentRegistered':
      return registered(state, event);
    case 'OrgDomainReservationLapsed':
      return lapse(state, { domain: event.data.domain, revision: event.data.reservationRevision });
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
      return withContact(agent, event.data.contact);
    case 'PersonalDataErased':
      return withoutErased(agent, event.data);
    case 'PublicKeyReplaced':
      return { ...agent, publicKey: event.data.publicKey };
    case 'AgentAdopted':
      return { ...agent, orgId: event.data.orgId, orgName: event.data.orgName, verified: true };
    case 'OrgNameChanged':
      return { ...agent, orgName: event.data.orgName };
    case 'OrgDomainChanged':
      return { ...agent, orgDomain: event.data.orgDomain };
    case 'ClonePaired':
      return { ...agent, relatedAgentId: event.data.relatedAgentId };
    case 'AgentPublished':
      return { ...agent, universe: production };
    case 'AgentWithdrawn':
      return { ...agent, universe: { kind: 'sandbox', orgId: event.data.orgId } };
    case 'CapabilityConfirmationAnswered':
      return agent;
    default:
      return unreachable(event);
  }
};

const withContact = (agent: RegisteredAgent, contact: SealedContact): RegisteredAgent => ({
  ...agent,
  contact,
  personalData: trailAfterContact(agent.personalData, contact),
});

const withoutErased = (agent: RegisteredAgent, erased: PersonalDataErased['data']): RegisteredAgent => ({
  ...agent,
  contact: contactAfterErasure(agent.contact, erased),
  personalData: trailAfterErasure(agent.personalData, erased),
});

const ensureRegistered = (state: AgentState, eventType: string): RegisteredAgent => {
  if (state.kind === 'unregistered') throw new Error(`${eventType} stands before AgentRegistered in an agent's stream`);
  return state;
};
