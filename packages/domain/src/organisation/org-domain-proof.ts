import {
  DomainError,
  type FoundToken,
  type OrgDomainEvent,
  type OrgDomainProofEnded,
  type OrgDomainReleased,
} from '@agent-trust/contracts';
import type { OrgDomainProof, OrgDomainState } from './org-domain-state.ts';

const dayMs = 86_400_000;

/** How long a proof counts without its token. */
export const domainProofTerms = {
  /** From a look that found the token to the next. */
  checkAgainMs: 30 * dayMs,
  /** From a look that did not. */
  missedAgainMs: dayMs,
  /** Looks in a row without the token, until the lapse is shown: one bad day of a name server is no lapse. */
  missesMax: 3,
  /** From the lapse to the end of the proof. */
  graceMs: 30 * dayMs,
  /** A look so soon after another, by another gateway or a repetition, is not recorded. */
  sameCheckMs: dayMs / 2,
} as const;

/** When a proof's token is to be looked for next; null for one that the operator vouches for. */
export function nextCheckOf({
  method,
  checkedAt,
  misses,
}: Pick<OrgDomainProof, 'method' | 'checkedAt' | 'misses'>): Date | null {
  if (method === 'operator') return null;
  const { missedAgainMs, checkAgainMs } = domainProofTerms;
  return new Date(Date.parse(checkedAt) + (misses > 0 ? missedAgainMs : checkAgainMs));
}

type OfOrganisation = { domain: string; orgId: string; now: string };

export type RequestDomainProof = OfOrganisation & { type: 'RequestDomainProof'; tokenHash: string };
export type ProveDomain = OfOrganisation & {
  type: 'ProveDomain';
  found: FoundToken;
  /** The token's hash of another organisation's proof that was looked for at the same time and is gone, or null. */
  outdated: string | null;
};
/** `method` is null if the token was found nowhere. */
export type RecordDomainCheck = OfOrganisation & { type: 'RecordDomainCheck'; method: FoundToken['method'] | null };
export type VouchForDomain = OfOrganisation & { type: 'VouchForDomain'; reason: string };
export type WithdrawDomainProof = { type: 'WithdrawDomainProof'; domain: string; reason: string; now: string };
/** Releases reservations that are void in their agents' streams. */
export type ReleaseVoidReservations = {
  type: 'ReleaseVoidReservations';
  domain: string;
  isVoid: readonly { agentId: string; revision: number }[];
  now: string;
};

export type OrgDomainProofCommand =
  | RequestDomainProof
  | ProveDomain
  | RecordDomainCheck
  | VouchForDomain
  | WithdrawDomainProof
  | ReleaseVoidReservations;

export function requestDomainProof(command: RequestDomainProof, { requests }: OrgDomainState): OrgDomainEvent[] {
  const { domain, orgId, tokenHash, now } = command;
  if (requests.some((request) => request.orgId === orgId && request.tokenHash === tokenHash)) return [];
  return [{ type: 'OrgDomainProofRequested', data: { domain, orgId, tokenHash, requestedAt: now } }];
}

/**
 * A proof by another organisation gives way only if its token is gone; one of the operator's never does. Refusals: domain_not_requested,
 * domain_proved_by_other.
 */
export function proveDomain(command: ProveDomain, state: OrgDomainState): OrgDomainEvent[] {
  const { domain, orgId, found, outdated, now } = command;
  const { proof } = state;
  const isRequested = state.requests.some((one) => one.orgId === orgId && one.tokenHash === found.tokenHash);
  const isKnown = proof?.orgId === orgId && proof.tokenHash === found.tokenHash;
  if (!isRequested && !isKnown) {
    throw new DomainError('domain_not_requested', `the organisation has not asked for a token for ${domain}`);
  }
  if (isKnown) return recordDomainCheck({ ...command, type: 'RecordDomainCheck', method: found.method }, state);
  const isOthers = proof !== null && proof.orgId !== orgId;
  if (isOthers && (outdated === null || proof.tokenHash !== outdated)) throw provedByOther(domain);
  return [
    ...(isOthers ? [ended(domain, proof, state, { cause: 'replaced', reason: null, now })] : []),
    { type: 'OrgDomainProved', data: { domain, orgId, ...found, agentIds: holdersOf(state), provedAt: now } },
  ];
}

/** Nothing for a proof that is gone or another's by now, and for a second look at nearly the same time that says the same. */
export function recordDomainCheck(command: RecordDomainCheck, state: OrgDomainState): OrgDomainEvent[] {
  const { domain, orgId, method, now } = command;
  const { proof } = state;
  if (proof === null || proof.orgId !== orgId || proof.method === 'operator') return [];
  const age = Date.parse(now) - Date.parse(proof.checkedAt);
  const isSettled = method === null || (proof.misses === 0 && proof.lapsedAt === null);
  if (isSettled && age < domainProofTerms.sameCheckMs) return [];
  const agentIds = holdersOf(state);
  const checked: OrgDomainEvent = { type: 'OrgDomainProofChecked', data: { domain, orgId, method, checkedAt: now } };
  if (method !== null) {
    if (proof.lapsedAt === null) return [checked];
    return [checked, { type: 'OrgDomainProofRestored', data: { domain, orgId, agentIds, restoredAt: now } }];
  }
  if (proof.lapsedAt !== null) {
    const isOver = Date.parse(now) - Date.parse(proof.lapsedAt) >= domainProofTerms.graceMs;
    return isOver ? [checked, ended(domain, proof, state, { cause: 'lapsed', reason: null, now })] : [checked];
  }
  if (proof.misses + 1 < domainProofTerms.missesMax) return [checked];
  return [checked, { type: 'OrgDomainProofLapsed', data: { domain, orgId, agentIds, lapsedAt: now } }];
}

/** Refusal: domain_proved_by_other; that proof has to be withdrawn first. */
export function vouchForDomain(command: VouchForDomain, state: OrgDomainState): OrgDomainEvent[] {
  const { domain, orgId, reason, now } = command;
  const { proof } = state;
  if (proof !== null && proof.orgId !== orgId) throw provedByOther(domain);
  if (proof?.method === 'operator') return [];
  return [{ type: 'OrgDomainVouchedFor', data: { domain, orgId, reason, agentIds: holdersOf(state), vouchedAt: now } }];
}

/** Refusal: domain_not_proved. */
export function withdrawDomainProof(command: WithdrawDomainProof, state: OrgDomainState): OrgDomainProofEnded[] {
  const { domain, reason, now } = command;
  if (state.proof === null) throw new DomainError('domain_not_proved', `nobody has proved ${domain}`);
  return [ended(domain, state.proof, state, { cause: 'withdrawn', reason, now })];
}

/** A reservation that was made anew meanwhile stays. */
export function releaseVoidReservations(
  { domain, isVoid, now: releasedAt }: ReleaseVoidReservations,
  { holders }: OrgDomainState,
): OrgDomainReleased[] {
  return holders
    .filter(({ agentId, revision }) => isVoid.some((one) => one.agentId === agentId && one.revision === revision))
    .map(({ agentId, revision: reservationRevision }) => ({
      type: 'OrgDomainReleased',
      data: { domain, agentId, reservationRevision, releasedAt },
    }));
}

const holdersOf = ({ holders }: OrgDomainState): string[] => holders.map(({ agentId }) => agentId);

const provedByOther = (domain: string): DomainError =>
  new DomainError('domain_proved_by_other', `${domain} is proved by another organisation`);

const ended = (
  domain: string,
  { orgId }: OrgDomainProof,
  state: OrgDomainState,
  end: Pick<OrgDomainProofEnded['data'], 'cause' | 'reason'> & { now: string },
): OrgDomainProofEnded => {
  const { cause, reason, now: endedAt } = end;
  return { type: 'OrgDomainProofEnded', data: { domain, orgId, cause, reason, agentIds: holdersOf(state), endedAt } };
};
