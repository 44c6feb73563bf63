import { DomainError } from '@agent-trust/contracts';
import type { ReviewParty } from './commands.ts';

/**
 * Rule B: agents of one org_domain never review each other, and in production neither do agents of one organisation. Inside an
 * organisation's sandbox all agents are its own and no review moves a score, so there it may try its review flow.
 * Refuses with `same_org_domain`.
 */
export function ensureDifferentOrganisation(reviewer: ReviewParty, receiver: ReviewParty): void {
  if (reviewer.orgDomain !== null && reviewer.orgDomain === receiver.orgDomain) {
    throw new DomainError('same_org_domain', `caller and receiver share the org_domain ${reviewer.orgDomain}`);
  }
  const inProduction = reviewer.universe.kind === 'production';
  if (inProduction && reviewer.orgId !== null && reviewer.orgId === receiver.orgId) {
    throw new DomainError('same_org_domain', 'caller and receiver belong to one organisation');
  }
}
