import type {
  AgentAdopted,
  OrgDomainChanged,
  OrgDomainReservationLapsed,
  OrgNameChanged,
} from '@agent-trust/contracts';
import { DomainError } from '@agent-trust/contracts';
import type { UpdateAgent } from '../commands.ts';
import { reservationLapsed } from '../org-domain/lapse-reservation.ts';
import { ensureStandingReservation } from '../org-domain/reservation-must-stand.ts';
import type { RegisteredAgent } from '../state.ts';
import type { UpdateAuthority } from './who-may-update.ts';

/** The organisation of an agent that has none becomes the one whose key came with the agent's own word, or the admin's. */
export function adoption(command: UpdateAgent, agent: RegisteredAgent, authority: UpdateAuthority): AgentAdopted[] {
  const { organisation } = authority;
  if (organisation === null || agent.orgId !== null) return [];
  const { orgId, orgName } = organisation;
  return [{ type: 'AgentAdopted', data: { agentId: agent.agentId, orgId, orgName, adoptedAt: command.now } }];
}

/** An organisation's key forces its canonical name, whatever is sent; the admin's word is taken as given, null clears. */
export function orgNameAfter(
  command: UpdateAgent,
  agent: RegisteredAgent,
  { isAdmin, organisation }: UpdateAuthority,
): string | null {
  if (organisation !== null) return organisation.orgName;
  return isAdmin && command.orgName !== undefined ? command.orgName : agent.orgName;
}

/** Null clears, by the word of an organisation or the admin; from the agent itself it counts as absent. */
export function orgDomainAfter(
  command: UpdateAgent,
  agent: RegisteredAgent,
  { isAdmin, organisation }: UpdateAuthority,
): string | null {
  const maySay = isAdmin || organisation !== null;
  return maySay && command.orgDomain !== undefined ? command.orgDomain : agent.orgDomain;
}

export function orgNameChange(command: UpdateAgent, agent: RegisteredAgent, orgName: string | null): OrgNameChanged[] {
  return orgName === agent.orgName
    ? []
    : [{ type: 'OrgNameChanged', data: { agentId: agent.agentId, orgName, changedAt: command.now } }];
}

/**
 * A new domain stands on its reservation. The one that is left is given up in the same breath, so that nobody needs to wait for a
 * lease. Refuses with `org_domain_taken`.
 */
export function orgDomainChange(
  command: Pick<UpdateAgent, 'reservation' | 'leaving' | 'now'>,
  agent: RegisteredAgent,
  orgDomain: string | null,
): (OrgDomainChanged | OrgDomainReservationLapsed)[] {
  const { reservation, leaving, now } = command;
  if (orgDomain === agent.orgDomain) return [];
  if (orgDomain !== null && reservation === null) {
    // It had this domain when the command looked, and needed no reservation; another update took it away since.
    throw new DomainError('org_domain_taken', `the org_domain of ${JSON.stringify(agent.agentId)} changed; try again`);
  }
  ensureStandingReservation({ orgDomain, reservation }, agent);
  const isLeft = leaving !== null && leaving.domain === agent.orgDomain;
  return [
    { type: 'OrgDomainChanged', data: { agentId: agent.agentId, orgDomain, changedAt: now } },
    ...(isLeft ? [reservationLapsed(agent.agentId, leaving, now)] : []),
  ];
}
