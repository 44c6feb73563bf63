import { isLapsed } from '../agent/org-domain.ts';
import type { AgentState } from '../agent/state.ts';
import type { OrgDomainHolder } from './org-domain-state.ts';

/**
 * The lease protects a registration or an update in progress. That a domain has only one organisation is ensured by
 * `OrgDomainReservationLapsed` in the holder's stream, not by this clock.
 */
export const orgDomainReservationLeaseSeconds = 30;

/**
 * The standing of another agent's reservation, seen by an agent that requests the domain.
 *
 * - `void`: declared void in its agent's stream.
 * - `unused`: the agent does not have the domain and the lease is over; it may be declared void. So a crash locks a domain for the lease only.
 * - `shared`: its agent belongs, or will belong, to the requesting organisation.
 * - `yields`: the domain was proved by the requesting organisation, and its agent does not belong to that.
 * - `stands`: the domain belongs to another organisation.
 */
export type HolderStanding = 'void' | 'unused' | 'shared' | 'yields' | 'stands';

/**
 * @param agent the holder's state in its own stream
 * @param asker `orgId`: the requesting organisation, null for none; `mayShare`: whether it takes the domain beside agents of its own;
 *   `hasProof`: whether it has proved the domain
 */
export function standingOfHolder(
  domain: string,
  holder: OrgDomainHolder,
  agent: AgentState,
  asker: { orgId: string | null; mayShare: boolean; hasProof: boolean },
  now: string,
): HolderStanding {
  // An agent keeps its organisation for ever; until it has one, the reservation names the intended one.
  const holderOrgId = (agent.kind === 'registered' ? agent.orgId : null) ?? holder.orgId;
  const isOwn = asker.orgId !== null && holderOrgId === asker.orgId;
  const whileHeld = isOwn ? (asker.mayShare ? 'shared' : 'stands') : asker.hasProof ? 'yields' : 'stands';
  if (agent.kind === 'registered' && agent.orgDomain === domain) return whileHeld;
  if (isLapsed(agent, { domain, revision: holder.revision })) return 'void';
  const isLeaseOver = Date.parse(now) - Date.parse(holder.reservedAt) >= orgDomainReservationLeaseSeconds * 1000;
  return isLeaseOver ? 'unused' : whileHeld;
}
