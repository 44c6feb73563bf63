import { DomainError, type OrgDomainEvent } from '@agent-trust/contracts';
import { type Decider, unreachable } from '../decider.ts';
import {
  type OrgDomainProofCommand,
  proveDomain,
  recordDomainCheck,
  releaseVoidReservations,
  requestDomainProof,
  vouchForDomain,
  withdrawDomainProof,
} from './org-domain-proof.ts';
import { evolveOrgDomain, type OrgDomainHolder, type OrgDomainState } from './org-domain-state.ts';

/** Limit of agents with one domain; a takeover reads the stream of each. */
export const orgDomainHoldersMax = 500;

/** The standing of the reservation at `revision` according to its holder's own stream. */
export type KnownHolder = { agentId: string; revision: number; standing: 'void' | 'shared' };

export type ReserveOrgDomain = {
  type: 'ReserveOrgDomain';
  domain: string;
  agentId: string;
  /** The agent's organisation, or the one it joins by the event that this reservation is for. */
  orgId: string | null;
  /** True for an update, which may join agents of its own organisation; a registration takes only a free domain. */
  mayShare: boolean;
  /** The newest void reservation of this domain in the agent's own stream, or null. */
  voidRevision: number | null;
  /** The holders whose own streams were read. */
  known: readonly KnownHolder[];
  now: string;
};

/**
 * Reserves a domain for a coming registration or update, and releases void reservations. An agent keeps its reservation for the same
 * organisation, unless it is void, or the agent registers and others have joined since. Refusal: org_domain_taken.
 *
 * A reservation for no organisation is never shared: its agent may join any organisation. The agent's own reservation for another
 * organisation conflicts like any other: its writer may still append, after others joined the later organisation.
 *
 * A domain that an organisation has proved is for that organisation's agents alone.
 */
const reserveOrgDomain = (command: ReserveOrgDomain, state: OrgDomainState): OrgDomainEvent[] => {
  const { domain, agentId, orgId, now } = command;
  if (state.proof !== null && state.proof.orgId !== orgId) {
    throw new DomainError('org_domain_taken', `org_domain ${domain} is proved by another organisation`);
  }
  const own = holderOf(state, agentId);
  const isOwnVoid = own !== null && command.voidRevision !== null && own.revision <= command.voidRevision;
  const isKept = own !== null && own.orgId === orgId && !isOwnVoid;
  if (isKept && command.mayShare) return [];

  const others = state.holders.filter((holder) => !(holder === own && (isKept || isOwnVoid)));
  const released = others.filter((holder) => knownStanding(command, holder) === 'void');
  const staying = others.filter((holder) => !released.includes(holder));
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
    ...(isKept ? [] : [{ type: 'OrgDomainReserved' as const, data: { domain, agentId, orgId, reservedAt: now } }]),
  ];
};

/** The standing of another reservation of the same agent does not count. */
const knownStanding = ({ known }: ReserveOrgDomain, holder: OrgDomainHolder): KnownHolder['standing'] | undefined =>
  known.find(({ agentId, revision }) => agentId === holder.agentId && revision === holder.revision)?.standing;

const isShared = (command: ReserveOrgDomain, holder: OrgDomainHolder): boolean =>
  command.mayShare &&
  command.orgId !== null &&
  (holder.orgId === command.orgId || knownStanding(command, holder) === 'shared');

/** The agent's reservation according to the domain's stream, or null. */
export function holderOf(state: OrgDomainState, agentId: string): OrgDomainHolder | null {
  return state.holders.find((holder) => holder.agentId === agentId) ?? null;
}

export type OrgDomainCommand = ReserveOrgDomain | OrgDomainProofCommand;

const decide = (command: OrgDomainCommand, state: OrgDomainState): OrgDomainEvent[] => {
  switch (command.type) {
    case 'ReserveOrgDomain':
      return reserveOrgDomain(command, state);
    case 'RequestDomainProof':
      return requestDomainProof(command, state);
    case 'ProveDomain':
      return proveDomain(command, state);
    case 'RecordDomainCheck':
      return recordDomainCheck(command, state);
    case 'VouchForDomain':
      return vouchForDomain(command, state);
    case 'WithdrawDomainProof':
      return withdrawDomainProof(command, state);
    case 'ReleaseVoidReservations':
      return releaseVoidReservations(command, state);
    default:
      return unreachable(command);
  }
};

/** The rules of a domain's stream (`orgDomainStream(domain)`). */
export const orgDomainDecider: Decider<OrgDomainCommand, OrgDomainState, OrgDomainEvent> = {
  initialState: { revisionNext: 0, holders: [], requests: [], proof: null },
  evolve: evolveOrgDomain,
  decide,
};
