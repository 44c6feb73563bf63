import type { OrgDomainReserved } from '@agent-trust/contracts';
import { unreachable } from '../../decider.ts';

/** Who holds an org_domain. `revision` is that of the reservation in the domain's stream. */
export type OrgDomainState =
  | { kind: 'free' }
  | { kind: 'held'; revision: number; agentId: string; orgId: string | null; reservedAt: string };

/** Each event of the stream is a reservation, so the newest one's revision is the number of those before it. */
export const evolveOrgDomain = (state: OrgDomainState, event: OrgDomainReserved): OrgDomainState => {
  switch (event.type) {
    case 'OrgDomainReserved': {
      const { agentId, orgId, reservedAt } = event.data;
      return { kind: 'held', revision: state.kind === 'free' ? 0 : state.revision + 1, agentId, orgId, reservedAt };
    }
    default:
      return unreachable(event.type);
  }
};
