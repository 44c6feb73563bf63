import { isLapsed } from '../../agent/org-domain/reservation-must-stand.ts';
import type { AgentState, HeldReservation } from '../../agent/state.ts';
import type { OrgDomainHolder } from './state.ts';

/**
 * How long a reservation is left alone while its agent does not have the domain yet. It is a courtesy to a registration or an update
 * in progress; what keeps a domain with one organisation is `OrgDomainReservationLapsed` in the holder's stream, not this clock.
 */
export const orgDomainReservationLeaseSeconds = 30;

/**
 * What somebody else's reservation of a domain means to who asks for the domain now.
 *
 * - `void`: it was declared void in its agent's stream already.
 * - `unused`: it led to nothing and its lease is over; it may be declared void. A crash thus locks a domain for the lease only.
 * - `shared`: its agent is, or will be, of the organisation of who asks.
 * - `stands`: the domain is somebody else's.
 */
export type HolderStanding = 'void' | 'unused' | 'shared' | 'stands';

/** @param agent the holder's state, by its own stream; @param orgId the organisation of who asks, null for none. */
export function standingOfHolder(
  domain: string,
  holder: OrgDomainHolder,
  agent: AgentState,
  orgId: string | null,
  now: string,
): HolderStanding {
  const isOfAsker = orgId !== null && orgOf(holder, agent) === orgId;
  if (agent.kind === 'registered' && agent.orgDomain === domain) return isOfAsker ? 'shared' : 'stands';
  const reservation: HeldReservation = { domain, revision: holder.revision };
  if (isLapsed(agent, reservation)) return 'void';
  const isLeaseOver = Date.parse(now) - Date.parse(holder.reservedAt) >= orgDomainReservationLeaseSeconds * 1000;
  if (isLeaseOver) return 'unused';
  return isOfAsker ? 'shared' : 'stands';
}

/** An agent keeps its organisation for ever; until it has one, the reservation says for which it was made. */
const orgOf = (holder: OrgDomainHolder, agent: AgentState): string | null =>
  (agent.kind === 'registered' ? agent.orgId : null) ?? holder.orgId;
