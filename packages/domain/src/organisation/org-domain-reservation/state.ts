import type { OrgDomainEvent } from '@agent-trust/contracts';
import { unreachable } from '../../decider.ts';

/** A reservation of an org_domain. `revision` is its place in the domain's stream; `orgId` null: for no organisation. */
export type OrgDomainHolder = { agentId: string; orgId: string | null; revision: number; reservedAt: string };

/** Who holds an org_domain: the newest reservation of each agent, unless it was released. `revisionNext` counts the stream's events. */
export type OrgDomainState = { revisionNext: number; holders: readonly OrgDomainHolder[] };

export function evolveOrgDomain(state: OrgDomainState, event: OrgDomainEvent): OrgDomainState {
  const others = state.holders.filter(({ agentId }) => agentId !== event.data.agentId);
  const revisionNext = state.revisionNext + 1;
  switch (event.type) {
    case 'OrgDomainReserved': {
      const { agentId, orgId, reservedAt } = event.data;
      return { revisionNext, holders: [...others, { agentId, orgId, revision: state.revisionNext, reservedAt }] };
    }
    case 'OrgDomainReleased':
      return { revisionNext, holders: others };
    default:
      return unreachable(event);
  }
}

/** The reservation of a domain that an agent has by the domain's stream, or null. */
export function holderOf(state: OrgDomainState, agentId: string): OrgDomainHolder | null {
  return state.holders.find((holder) => holder.agentId === agentId) ?? null;
}
