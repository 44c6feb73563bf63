import { DomainError } from '@agent-trust/contracts';
import type { HeldReservation } from '../state.ts';

/**
 * An agent gets an org_domain, by its registration or by an update, on a reservation of that domain which nobody has declared void. A
 * writer that stalled between the two steps may meet `OrgDomainReservationLapsed` here: the domain may be another agent's by now.
 * Refuses with `org_domain_taken`.
 */
export function ensureStandingReservation(
  wanted: { orgDomain: string | null; reservation: HeldReservation | null },
  agent: { lapsedReservations: readonly HeldReservation[] },
): void {
  const { orgDomain, reservation } = wanted;
  if (orgDomain === null) return;
  if (reservation === null || reservation.domain !== orgDomain) {
    throw new Error(`an agent with org_domain ${orgDomain} was decided without its reservation`);
  }
  if (isLapsed(agent, reservation)) {
    throw new DomainError('org_domain_taken', `the reservation of org_domain ${orgDomain} ran out; try again`);
  }
}

/** True when the reservation, or a later one of the same domain, was declared void in the agent's own stream. */
export function isLapsed(
  { lapsedReservations }: { lapsedReservations: readonly HeldReservation[] },
  { domain, revision }: HeldReservation,
): boolean {
  return lapsedReservations.some((lapsed) => lapsed.domain === domain && revision <= lapsed.revision);
}
