import type { CallTarget, OwnerAgent, PublicAgent, Universe } from '@agent-trust/contracts';
import { blockOf, shownTrustOf } from '@agent-trust/domain';
import { confidenceView } from '../projector/read-models/agent-standing/confidence.ts';
import type { AgentRecord } from '../projector/read-models/agent-directory/queries.ts';
import { livenessView } from '../projector/read-models/recent-exchanges/liveness.ts';
import { pick } from '../shared/pick.ts';
import { universeKey, universeOfKey } from '../projector/read-models/universe-key.ts';

const role = 'agent';
const payableRail = 'x402';

/** Whether an agent can be seen from a universe: nothing is seen across. */
export function isSeenFrom(agent: AgentRecord, universe: Universe): boolean {
  return agent.universe === universeKey(universe);
}

const isPayable = (agent: AgentRecord): boolean => blockOf(agent) === null && acceptsPayments(agent.configuration);

const acceptsPayments = (configuration: AgentRecord['configuration']): boolean =>
  configuration.endpointUrl !== null && (configuration.settlementRail ?? []).includes(payableRail);

/** What anybody may know of an agent. Picked by name, so that a new field, such as the endpoint, stays private until it is named here. */
export function publicView(agent: AgentRecord): PublicAgent {
  const { configuration, reviewCount, successCount } = agent;
  const block = blockOf(agent);
  return {
    ...pick(agent, 'agentId', 'verified', 'trustPolicy', 'orgId', 'orgName', 'orgDomain', 'transactionCount'),
    domainVerified: agent.domainProof !== null,
    ...pick(configuration, 'specialty', 'capabilities', 'messageProtocol', 'a2aCompliant', 'acceptedContentTypes'),
    ...pick(configuration, 'payloadSchema', 'signupHelp', 'authHeaderName'),
    role,
    ...shownTrustOf(
      {
        ...pick(agent, 'verified', 'transactionCount', 'trustScore'),
        endpointUrl: configuration.endpointUrl,
        hasLapsedDomain: agent.domainProof === 'lapsed',
        universe: universeOfKey(agent.universe),
      },
      block,
    ),
    // A score of 0 that stands for a block comes from no evidence.
    confidence: block === null ? confidenceView(agent.confidence) : null,
    routing: pick(
      configuration,
      'protocol',
      'acceptedTermsFormat',
      'settlementRail',
      'httpMethods',
      'priceSchedule',
      'paymentNetwork',
      'paymentPayTo',
      'paymentAsset',
    ),
    payable: isPayable(agent),
    successRate: reviewCount === 0 ? null : successCount / reviewCount,
    registeredAt: agent.registeredAt.toISOString(),
    lastActive: agent.lastActive.toISOString(),
    lastTransactionAt: agent.lastTransactionAt?.toISOString() ?? null,
    liveness: livenessView(agent.liveness),
  };
}

/** What an agent's owner knows of it besides. */
export function ownerView(agent: AgentRecord): OwnerAgent {
  return {
    ...publicView(agent),
    endpointUrl: agent.configuration.endpointUrl,
    isSandbox: universeOfKey(agent.universe).kind === 'sandbox',
    relatedAgentId: agent.relatedAgentId,
  };
}

/** Where and how to reach an agent; for the proxies. */
export function callTargetView(agent: AgentRecord): CallTarget {
  return {
    ...pick(agent, 'agentId', 'orgId'),
    ...pick(agent.configuration, 'endpointUrl', 'messageProtocol', 'a2aCompliant', 'httpMethods'),
    payable: isPayable(agent),
    block: blockOf(agent),
  };
}
