import type { AgentState } from '../../agent/state.ts';
import type { OrgDomainState } from './state.ts';

/**
 * How long a reservation is left alone while its agent is not registered yet. It is a courtesy to a registration in progress;
 * what keeps a domain with one agent is `OrgDomainReservationLapsed` in the holder's stream, not this clock.
 */
export const orgDomainReservationLeaseSeconds = 30;

/**
 * True when the reservation did not lead to a registration with the domain and may be declared void: its agent was registered
 * without the domain, or is still unregistered after the lease. A crash between the two steps thus locks a domain for the lease only.
 */
export const mayTakeOver = (domain: string, reservation: OrgDomainState, holder: AgentState, now: string): boolean => {
  if (reservation.kind === 'free') return false;
  if (holder.kind === 'registered') return holder.orgDomain !== domain;
  return Date.parse(now) - Date.parse(reservation.reservedAt) >= orgDomainReservationLeaseSeconds * 1000;
};
