import type { OrgDomainEvent } from '@agent-trust/contracts';
import type { Decider } from '../../decider.ts';
import { type ReserveOrgDomain, reserveOrgDomain } from './decide.ts';
import { evolveOrgDomain, type OrgDomainState } from './state.ts';

/** The rules of a domain's stream (`orgDomainStream(domain)`). */
export const orgDomainDecider: Decider<ReserveOrgDomain, OrgDomainState, OrgDomainEvent> = {
  initialState: { revisionNext: 0, holders: [] },
  evolve: evolveOrgDomain,
  decide: reserveOrgDomain,
};
