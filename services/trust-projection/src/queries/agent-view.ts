import type { CallTarget, OwnerAgent, PublicAgent, Universe } from '@agent-trust/contracts';
import { flagsOf, recommendedActionOf } from '@agent-trust/domain';
import type { AgentRecord } from '../projector/read-models/agent-directory/queries.ts';
import { universeKey, universeOfKey } from '../projector/read-models/universe-key.ts';

const role = 'agent';
const payableRail = 'x402';

/** Whether an agent can be seen from a universe: nothing is seen across. */
export function isSeenFrom(agent: AgentRecord, universe: Universe): boolean {
  return agent.universe === universeKey(universe);
}

const isPayable = ({ configuration }: AgentRecord): boolean =>
  configuration.endpointUrl !== null && (configuration.settlementRail ?? []).includes(payableRail);

/** What anybody may know of an agent. The endpoint is not in it: `pick` by name, so that a new field stays private until it is named here. */
export function publicView(agent: AgentRecord): PublicAgent {
  const { configuration } = agent;
  return {
    agentId: agent.agentId,
    role,
    verified: agent.verified,
    trustScore: agent.trustScore,
    trustPolicy: agent.trustPolicy,
    orgName: agent.orgName,
    orgDomain: agent.orgDomain,
    specialty: configuration.specialty,
    capabilities: configuration.capabilities,
    flags: flagsOf({
      verified: agent.verified,
      transactionCount: agent.transactionCount,
      endpointUrl: configuration.endpointUrl,
      trustScore: agent.trustScore,
      universe: universeOfKey(agent.universe),
    }),
    routing: {
      protocol: configuration.protocol,
      acceptedTermsFormat: configuration.acceptedTermsFormat,
      settlementRail: configuration.settlementRail,
      httpMethods: configuration.httpMethods,
      priceSchedule: configuration.priceSchedule,
      paymentNetwork: configuration.paymentNetwork,
      paymentPayTo: configuration.paymentPayTo,
      paymentAsset: configuration.paymentAsset,
    },
    payable: isPayable(agent),
    messageProtocol: configuration.messageProtocol,
    a2aCompliant: configuration.a2aCompliant,
    acceptedContentTypes: configuration.acceptedContentTypes,
    payloadSchema: configuration.payloadSchema,
    signupHelp: configuration.signupHelp,
    authHeaderName: configuration.authHeaderName,
    successRate: agent.reviewCount === 0 ? null : agent.successCount / agent.reviewCount,
    transactionCount: agent.transactionCount,
    registeredAt: agent.registeredAt.toISOString(),
    lastActive: agent.lastActive.toISOString(),
    lastTransactionAt: agent.lastTransactionAt?.toISOString() ?? null,
    recommendedAction: recommendedActionOf(agent.trustScore),
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
    agentId: agent.agentId,
    endpointUrl: agent.configuration.endpointUrl,
    messageProtocol: agent.configuration.messageProtocol,
    a2aCompliant: agent.configuration.a2aCompliant,
    httpMethods: agent.configuration.httpMethods,
    payable: isPayable(agent),
    orgId: agent.orgId,
  };
}
