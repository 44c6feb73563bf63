import { DomainError, type OrgDomainReserved } from '@agent-trust/contracts';
import type { OrgDomainState } from './state.ts';

/** `voidRevision`: the newest reservation known to be void (see may-take-over.ts), or null. */
export type ReserveOrgDomain = {
  type: 'ReserveOrgDomain';
  domain: string;
  agentId: string;
  orgId: string | null;
  voidRevision: number | null;
  now: string;
};

/**
 * Reserves a domain for a registration that is about to happen. The same agent of the same organisation goes on with the
 * reservation it holds, unless that one is void. Refusal: org_domain_taken.
 */
export const reserveOrgDomain = (command: ReserveOrgDomain, state: OrgDomainState): OrgDomainReserved[] => {
  const { domain, agentId, orgId, now } = command;
  const isVoid = state.kind === 'held' && command.voidRevision !== null && state.revision <= command.voidRevision;
  if (state.kind === 'held' && !isVoid) {
    if (state.agentId === agentId && state.orgId === orgId) return [];
    throw new DomainError('org_domain_taken', `org_domain ${domain} is held by another agent`);
  }
  return [{ type: 'OrgDomainReserved', data: { domain, agentId, orgId, reservedAt: now } }];
};
