import { DomainError, type OrgDomainReservationLapsed, type OrgDomainYielded } from '@agent-trust/contracts';
import type { LapseOrgDomainReservation, YieldOrgDomain } from './commands.ts';
import type { AgentState, HeldReservation } from './state.ts';

/**
 * Declares a reservation void in its holder's stream, before another agent takes the domain. Refuses with `org_domain_taken` if the holder
 * has the domain.
 *
 * A lease alone cannot prevent two organisations from getting one domain: a slow process may sleep longer than any lease between reading
 * the clock and writing, and append its agent after the takeover.
 */
export function lapseReservation(command: LapseOrgDomainReservation, state: AgentState): OrgDomainReservationLapsed[] {
  const { agentId, domain, reservationRevision: revision, now } = command;
  if (state.kind === 'registered' && state.orgDomain === domain) {
    throw new DomainError('org_domain_taken', `org_domain ${domain} is held by another agent`);
  }
  return isLapsed(state, { domain, revision }) ? [] : [reservationLapsed(agentId, { domain, revision }, now)];
}

/**
 * Takes the domain from an agent of another organisation than the one that proved it. Like a void reservation, the event makes a slow writer
 * fail that holds the reservation and has not written its agent yet.
 */
export function yieldOrgDomain(
  command: YieldOrgDomain,
  state: AgentState,
): (OrgDomainYielded | OrgDomainReservationLapsed)[] {
  const { agentId, domain, reservationRevision, now } = command;
  if (state.kind === 'registered' && state.orgDomain === domain) {
    return [{ type: 'OrgDomainYielded', data: { agentId, domain, reservationRevision, yieldedAt: now } }];
  }
  return lapseReservation({ ...command, type: 'LapseOrgDomainReservation' }, state);
}

export function reservationLapsed(
  agentId: string,
  { domain, revision: reservationRevision }: HeldReservation,
  lapsedAt: string,
): OrgDomainReservationLapsed {
  return { type: 'OrgDomainReservationLapsed', data: { agentId, domain, reservationRevision, lapsedAt } };
}

/**
 * An agent gets an org_domain only on a reservation that is not void: if the writer stalled after reserving, the domain may belong to
 * another agent by now. Refuses with `org_domain_taken`.
 */
export function ensureStandingReservation(
  { orgDomain, reservation }: { orgDomain: string | null; reservation: HeldReservation | null },
  agent: Pick<AgentState, 'lapsedReservations'>,
): void {
  if (orgDomain === null) return;
  if (reservation === null || reservation.domain !== orgDomain) {
    throw new Error(`an agent with org_domain ${orgDomain} was decided without its reservation`);
  }
  if (isLapsed(agent, reservation)) {
    throw new DomainError('org_domain_taken', `the reservation of org_domain ${orgDomain} ran out; try again`);
  }
}

/** Whether the agent's own stream declares this or a later reservation of the domain void. */
export function isLapsed(
  { lapsedReservations }: Pick<AgentState, 'lapsedReservations'>,
  { domain, revision }: HeldReservation,
): boolean {
  return lapsedReservations.some((lapsed) => lapsed.domain === domain && revision <= lapsed.revision);
}
