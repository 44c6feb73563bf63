import { DomainError, type OrgDomainReservationLapsed } from '@agent-trust/contracts';
import type { LapseOrgDomainReservation } from '../commands.ts';
import type { AgentState, HeldReservation } from '../state.ts';
import { isLapsed } from './reservation-must-stand.ts';

/**
 * Declares a reservation void in the stream of the agent that held it, before another agent takes the domain.
 *
 * Without this a registration or an update that is only slow could still append its agent after the take-over, and two organisations
 * would hold one domain; a lease alone cannot prevent that, because a process may sleep for longer than any lease between looking at
 * the clock and writing. An agent that has the domain keeps it (`org_domain_taken`).
 */
export function lapseReservation(command: LapseOrgDomainReservation, state: AgentState): OrgDomainReservationLapsed[] {
  const { agentId, domain, reservationRevision: revision, now } = command;
  if (state.kind === 'registered' && state.orgDomain === domain) {
    throw new DomainError('org_domain_taken', `org_domain ${domain} is held by another agent`);
  }
  return isLapsed(state, { domain, revision }) ? [] : [reservationLapsed(agentId, { domain, revision }, now)];
}

export function reservationLapsed(
  agentId: string,
  { domain, revision }: HeldReservation,
  now: string,
): OrgDomainReservationLapsed {
  return {
    type: 'OrgDomainReservationLapsed',
    data: { agentId, domain, reservationRevision: revision, lapsedAt: now },
  };
}
