import { DomainError, type OrgDomainEvent } from '@agent-trust/contracts';
import { holderOf, type OrgDomainHolder, type OrgDomainState } from './state.ts';

/** Agents that may hold one domain at a time; a take-over looks at the stream of each. */
export const orgDomainHoldersMax = 500;

/** What the stream of a holder's agent says of its reservation, the one at `revision`. */
export type KnownHolder = { agentId: string; revision: number; standing: 'void' | 'shared' };

export type ReserveOrgDomain = {
  type: 'ReserveOrgDomain';
  domain: string;
  agentId: string;
  /** The organisation that the agent has, or will have with the event that this reservation is for. */
  orgId: string | null;
  /** An update may join agents of its own organisation; a registration takes only a domain that nobody holds. */
  mayShare: boolean;
  /** The newest reservation of this domain that is void in the agent's own stream, or null. */
  voidRevision: number | null;
  /** What is known of the holders; of one that is not named only the domain's stream speaks. */
  known: readonly KnownHolder[];
  now: string;
};

/**
 * Reserves a domain for a registration or an update that is about to happen, and releases the reservations that are void. The same
 * agent of the same organisation goes on with the reservation it holds, unless that one is void, or unless it registers and others have
 * joined since. Refusal: org_domain_taken.
 *
 * A reservation for no organisation is shared with nobody: its agent may become any organisation's. For the same reason an agent's own
 * reservation for another organisation is in the way like anybody's: whoever made it may still write, and find that others have joined
 * the organisation which came after.
 */
export function reserveOrgDomain(command: ReserveOrgDomain, state: OrgDomainState): OrgDomainEvent[] {
  const { domain, agentId, orgId, now } = command;
  const own = holderOf(state, agentId);
  const isOwnVoid = own !== null && command.voidRevision !== null && own.revision <= command.voidRevision;
  const goesOn = own !== null && own.orgId === orgId && !isOwnVoid;
  if (goesOn && command.mayShare) return [];

  const inTheWay = state.holders.filter((holder) => !(holder === own && (goesOn || isOwnVoid)));
  const released = inTheWay.filter((holder) => knownStanding(command, holder) === 'void');
  const staying = inTheWay.filter((holder) => !released.includes(holder));
  if (!staying.every((holder) => isShared(command, holder))) {
    throw new DomainError('org_domain_taken', `org_domain ${domain} is held by another agent`);
  }
  if (staying.length >= orgDomainHoldersMax) {
    throw new DomainError('org_domain_taken', `org_domain ${domain} is held by ${orgDomainHoldersMax} agents already`);
  }
  return [
    ...released.map((holder) => ({
      type: 'OrgDomainReleased' as const,
      data: { domain, agentId: holder.agentId, reservationRevision: holder.revision, releasedAt: now },
    })),
    ...(goesOn ? [] : [{ type: 'OrgDomainReserved' as const, data: { domain, agentId, orgId, reservedAt: now } }]),
  ];
}

/** What was found out about an older reservation of the agent says nothing about this one. */
const knownStanding = ({ known }: ReserveOrgDomain, holder: OrgDomainHolder): KnownHolder['standing'] | undefined =>
  known.find(({ agentId, revision }) => agentId === holder.agentId && revision === holder.revision)?.standing;

const isShared = (command: ReserveOrgDomain, holder: OrgDomainHolder): boolean =>
  command.mayShare &&
  command.orgId !== null &&
  (holder.orgId === command.orgId || knownStanding(command, holder) === 'shared');
