import type { AgentEvent, AgentRegistered, Universe } from '@agent-trust/contracts';
import { unreachable } from '../decider.ts';
import type { HeldReservation } from './commands.ts';
import { addPendingClaim, type PendingClaim, withoutClaim } from './claim/pending-claims.ts';

/** An agent_id nobody has. Its stream may still hold reservations that ran out. */
export type UnregisteredAgent = { kind: 'unregistered'; lapsedReservations: readonly HeldReservation[] };

export type RegisteredAgent = {
  kind: 'registered';
  agentId: string;
  universe: Universe;
  orgId: string | null;
  orgName: string | null;
  orgDomain: string | null;
  contactEmail: string | null;
  publicKey: string | null;
  /** SHA-256 of the bearer key that works now; null until the first claim is redeemed. */
  keyHash: string | null;
  pendingClaims: readonly PendingClaim[];
};

export type AgentState = UnregisteredAgent | RegisteredAgent;

export const initialAgentState: AgentState = { kind: 'unregistered', lapsedReservations: [] };

const registered = ({ data }: AgentRegistered): RegisteredAgent => ({
  kind: 'registered',
  agentId: data.agentId,
  universe: data.universe,
  orgId: data.orgId,
  orgName: data.orgName,
  orgDomain: data.orgDomain,
  contactEmail: data.contact.contactEmail,
  publicKey: data.publicKey,
  keyHash: null,
  pendingClaims: [],
});

const lapse = (state: UnregisteredAgent, lapsed: HeldReservation): UnregisteredAgent => ({
  kind: 'unregistered',
  // Later reservations of one domain have higher revisions, so the newest one says it all.
  lapsedReservations: [...state.lapsedReservations.filter(({ domain }) => domain !== lapsed.domain), lapsed],
});

/** What an agent is after one more event of its stream. An event that cannot stand there is a fault of the log, not of a client. */
export const evolveAgent = (state: AgentState, event: AgentEvent): AgentState => {
  switch (event.type) {
    case 'AgentRegistered':
      return registered(event);
    case 'ClaimIssued': {
      const agent = demandRegistered(state, event.type);
      return { ...agent, pendingClaims: addPendingClaim(agent.pendingClaims, event.data) };
    }
    case 'KeyRotated': {
      const agent = demandRegistered(state, event.type);
      return {
        ...agent,
        keyHash: event.data.keyHash,
        pendingClaims: withoutClaim(agent.pendingClaims, event.data.claimTokenHash),
      };
    }
    case 'OrgDomainReservationLapsed':
      if (state.kind === 'registered') return state;
      return lapse(state, { domain: event.data.domain, revision: event.data.reservationRevision });
    default:
      return unreachable(event);
  }
};

const demandRegistered = (state: AgentState, eventType: string): RegisteredAgent => {
  if (state.kind === 'unregistered') throw new Error(`${eventType} stands before AgentRegistered in an agent's stream`);
  return state;
};
