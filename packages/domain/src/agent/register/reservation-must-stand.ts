import { DomainError } from '@agent-trust/contracts';
import type { RegisterAgent } from '../commands.ts';
import type { UnregisteredAgent } from '../state.ts';

/**
 * An agent with an org_domain registers on a reservation of that domain which nobody has declared void. A registration that
 * stalled between the two steps may meet `OrgDomainReservationLapsed` here: the domain may be another agent's by now.
 * Refuses with `org_domain_taken`.
 */
export const demandStandingReservation = (command: RegisterAgent, state: UnregisteredAgent): void => {
  const { orgDomain, reservation } = command;
  if (orgDomain === null) return;
  if (reservation === null || reservation.domain !== orgDomain) {
    throw new Error(`registration with org_domain ${orgDomain} was decided without its reservation`);
  }
  const lapsed = state.lapsedReservations.find(({ domain }) => domain === orgDomain);
  if (lapsed !== undefined && reservation.revision <= lapsed.revision) {
    throw new DomainError('org_domain_taken', `the reservation of org_domain ${orgDomain} ran out; register again`);
  }
};
