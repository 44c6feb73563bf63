import {
  type AgentRegistered,
  agentStream,
  type ExchangeEvent,
  exchangeStream,
  production,
} from '@agent-trust/contracts';
import { seededRandom } from '@agent-trust/test-kit/seeded-random';
import { completedExchange, startedExchange, type StreamEvents } from './history.ts';

const configuration: AgentRegistered['data']['configuration'] = {
  capabilities: [],
  endpointUrl: null,
  protocol: null,
  acceptedTermsFormat: null,
  settlementRail: null,
  httpMethods: null,
  specialty: null,
  priceSchedule: null,
  paymentNetwork: null,
  paymentPayTo: null,
  paymentAsset: null,
  messageProtocol: 'a2a',
  a2aCompliant: false,
  acceptedContentTypes: ['text/plain'],
  payloadSchema: null,
  signupHelp: null,
  authHeaderName: null,
};

/** Registrations of production agents, with or without an organisation. */
export function* makeAgents(options: {
  agentIds: readonly string[];
  organisation: { orgId: string; orgName: string } | null;
}): Generator<StreamEvents> {
  const { agentIds, organisation } = options;
  for (const agentId of agentIds) {
    const registered: AgentRegistered = {
      type: 'AgentRegistered',
      data: {
        agentId,
        universe: production,
        orgId: organisation?.orgId ?? null,
        orgName: organisation?.orgName ?? null,
        orgDomain: null,
        verified: organisation !== null,
        trustPrior: organisation === null ? 40 : 75,
        publicKey: null,
        contact: { contactInfo: null, contactEmail: null },
        configuration,
        registeredAt: new Date().toISOString(),
      },
    };
    yield { stream: agentStream(agentId), events: [registered] };
  }
}

/**
 * Reviewed exchanges of registered agents, good and bad by seeded chance. Each reviewer has a different domain, so most reviews move a
 * score while an agent has few of them.
 */
export function* makeReviews(options: {
  seed: number;
  count: number;
  prefix: string;
  agentIds: readonly string[];
  /** Registered agents as well. */
  reviewerIds: readonly string[];
}): Generator<StreamEvents> {
  const { seed, count, prefix, agentIds, reviewerIds } = options;
  const random = seededRandom(seed);
  let clock = Date.now() - count * 1_000;
  const now = (): string => new Date((clock += 300)).toISOString();
  for (let index = 0; index < count; index += 1) {
    const reviewerDomain = `reviewer-${index}.${prefix}.example`;
    const parties = {
      transactionId: `${prefix}-review-${index}`,
      callerAgentId: reviewerIds[Math.floor(random() * reviewerIds.length)] ?? '',
      receiverAgentId: agentIds[Math.floor(random() * agentIds.length)] ?? '',
      universe: production,
    };
    const success = random() < 0.5;
    const events: ExchangeEvent[] = [
      startedExchange(parties, { name: index, requestBytes: 100, startedAt: now() }),
      completedExchange(parties, { name: index, responseBytes: 100, durationMs: 10, completedAt: now() }),
      {
        type: 'ExchangeReviewed',
        data: {
          ...parties,
          success,
          score: success ? 10 : 1,
          reviewer: {
            orgId: null,
            orgDomain: reviewerDomain,
            trustScore: 95,
            roots: { [reviewerDomain]: 1 },
            asOf: null,
          },
          reviewedAt: now(),
        },
      },
    ];
    yield { stream: exchangeStream(parties.transactionId), events };
  }
}
