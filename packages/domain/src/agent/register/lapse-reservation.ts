import { DomainError, type OrgDomainReservationLapsed } from '@agent-trust/contracts';
import type { LapseOrgDomainReservation } from '../commands.ts';
import type { AgentState } from '../state.ts';

/**
 * Declares a reservation void in the stream of the agent that held it, before another agent takes the domain.
 *
 * Without this a registration that is only slow could still append its agent after the take-over, and two agents would hold one
 * domain; a lease alone cannot prevent that, because a process may sleep for longer than any lease between looking at the clock
 * and writing. An agent registered with the domain keeps it (`org_domain_taken`); one registered without it can no longer use
 * the reservation, so nothing needs saying.
 */
export const lapseReservation = (
  command: LapseOrgDomainReservation,
  state: AgentState,
): OrgDomainReservationLapsed[] => {
  if (state.kind === 'registered') {
    if (state.orgDomain !== command.domain) return [];
    throw new DomainError('org_domain_taken', `org_domain ${command.domain} is held by another agent`);
  }
  const known = state.lapsedReservations.find(({ domain }) => domain === command.domain);
  if (known !== undefined && known.revision >= command.reservationRevision) return [];
  return [
    {
      type: 'OrgDomainReservationLapsed',
      data: {
        agentId: command.agentId,
        domain: command.domain,
        reservationRevision: command.reservationRevision,
        lapsedAt: command.now,
      },
    },
  ];
};
