import type { RecordedReviewV2, TrustEvent } from '@agent-trust/trust-policy';
import type { ProjectedRegistryEvent } from '../../registry-event.ts';
import type { Reviewed } from '../reviewed.ts';

/** An event of the log as policies of formula v2 take it; null for one that they do not read. */
export function trustEventOf(event: ProjectedRegistryEvent): TrustEvent | null {
  switch (event.type) {
    case 'AgentRegistered': {
      const { agentId: agent, orgId: organisation, trustPrior: base } = event.data;
      return { type: 'registered', agent, organisation, base };
    }
    case 'AgentAdopted':
      return { type: 'adopted', agent: event.data.agentId, organisation: event.data.orgId };
    case 'OrgDomainReserved':
      return { type: 'domain_reserved', domain: event.data.domain, organisation: event.data.orgId };
    case 'ExchangeReviewed':
      return { type: 'reviewed', review: recordedReviewOf(event) };
    case 'ReviewsVoided':
      return { type: 'voided', reviews: event.data.transactionIds };
    default:
      return null;
  }
}

/** A review as policies of formula v2 take it, with what its event has frozen of the reviewer. */
export function recordedReviewOf({ data }: Reviewed): RecordedReviewV2 {
  const { transactionId, receiverAgentId, callerAgentId, reviewer, reviewedAt, success, score, universe } = data;
  return {
    id: transactionId,
    receiver: receiverAgentId,
    reviewer: {
      agent: callerAgentId,
      organisation: reviewer.orgId,
      orgDomain: reviewer.orgDomain,
      trust: reviewer.trustScore,
      roots: reviewer.roots,
    },
    reviewedAt: Date.parse(reviewedAt),
    success,
    score,
    inProduction: universe.kind === 'production',
  };
}
