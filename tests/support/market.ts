import { createHash } from 'node:crypto';
import type {
  AgentConfiguration,
  AgentRegistered,
  OrganisationCreated,
  RegistryEvent,
  WeightedCapability,
} from '@agent-trust/contracts';
import { agentStream, exchangeStream, organisationStream, production } from '@agent-trust/contracts';
import { seededRandom } from '@agent-trust/test-kit/seeded-random';
import { type StreamEvents } from './history.ts';

export type MarketOptions = {
  seed: number;
  agentCount: number;
  /** Prefix of every id, so that several markets can share a log. */
  prefix: string;
};

/** A tenth of the agents hold each of these. */
export const popularCapabilities = ['quoting', 'invoicing', 'freight_booking'] as const;
/** 1 agent in 500 holds each of these. */
export const rareCapability = 'glacier_mapping';

const otherCapabilityCount = 400;
const popularShare = 0.1;
const rareShare = 0.002;
/** One capability of weight 3, two of 2, three of 1: the most that a registration may have. */
const weightTiers = [3, 2, 2, 1, 1, 1];
const agentsPerOrganisation = 50;
/** The share of agents that receive calls; the first of them receive most. */
const activeShare = 0.3;
const exchangesPerAgent = 0.5;
const startAt = Date.parse('2026-01-01T00:00:00.000Z');

export function marketOrgName(prefix: string, org: number): string {
  return `${prefix} Org ${org}`;
}
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * A market of agents that differ as real ones do: in capabilities, payment, organisation and, for some, reputation. Many agents hold a few
 * popular capabilities; few agents hold most of the others.
 */
export function* makeMarket({ seed, agentCount, prefix }: MarketOptions): Generator<StreamEvents> {
  const random = seededRandom(seed);
  const pick = (count: number): number => Math.floor(random() * count);
  const orgCount = Math.max(4, Math.floor(agentCount / agentsPerOrganisation));
  let clock = startAt;
  const now = (): string => new Date((clock += 1 + pick(1_000))).toISOString();
  const agentId = (index: number): string => `${prefix}-agent-${index}`;

  const capabilities = (): WeightedCapability[] => {
    const names = new Set<string>();
    for (const name of popularCapabilities) if (random() < popularShare) names.add(name);
    if (random() < rareShare) names.add(rareCapability);
    const count = Math.min(weightTiers.length, Math.max(names.size, 1 + pick(weightTiers.length)));
    // Squared chance favours the first names.
    while (names.size < count) names.add(`trade_${Math.floor(random() ** 2 * otherCapabilityCount)}`);
    const weights = [...weightTiers];
    return Array.from(names, (name) => ({ name, weight: weights.splice(pick(weights.length), 1)[0] ?? 1 }));
  };
  const configuration = (index: number): AgentConfiguration => {
    const rail = random();
    const protocol = random();
    return {
      capabilities: capabilities(),
      endpointUrl: random() < 0.98 ? `https://agent-${index}.example/rpc` : null,
      protocol: 'https',
      acceptedTermsFormat: null,
      settlementRail: rail < 0.5 ? ['x402'] : rail < 0.7 ? ['x402', 'stripe'] : rail < 0.8 ? ['manual'] : null,
      httpMethods: ['POST'],
      specialty: `Agent number ${index} of the market`,
      priceSchedule: null,
      paymentNetwork: null,
      paymentPayTo: null,
      paymentAsset: null,
      messageProtocol: protocol < 0.75 ? 'a2a' : protocol < 0.95 ? 'mcp' : 'raw',
      a2aCompliant: protocol < 0.4,
      acceptedContentTypes: ['text/plain', 'application/json'],
      payloadSchema: null,
      signupHelp: null,
      authHeaderName: null,
    };
  };

  for (let org = 0; org < orgCount; org += 1) {
    const orgId = `${prefix}-org-${org}`;
    const created: OrganisationCreated = {
      type: 'OrganisationCreated',
      data: {
        orgId,
        orgName: marketOrgName(prefix, org),
        contactEmail: 'ops@org.example',
        productionKeyHash: sha256(`${orgId} production`),
        sandboxKeyHash: sha256(`${orgId} sandbox`),
        createdAt: now(),
      },
    };
    yield { stream: organisationStream(orgId), events: [created] };
  }
  for (let index = 0; index < agentCount; index += 1) {
    const org = random() < 0.7 ? pick(orgCount) : null;
    const registered: AgentRegistered = {
      type: 'AgentRegistered',
      data: {
        agentId: agentId(index),
        universe: production,
        orgId: org === null ? null : `${prefix}-org-${org}`,
        orgName: org === null ? null : marketOrgName(prefix, org),
        orgDomain: null,
        verified: org !== null,
        trustPrior: org === null ? 40 : 75,
        publicKey: null,
        contact: { contactInfo: null, contactEmail: { keyId: 'none', sealed: 'not to be opened' } },
        configuration: configuration(index),
        registeredAt: now(),
      },
    };
    yield { stream: agentStream(agentId(index)), events: [registered] };
  }
  for (let index = 0; index < agentCount * exchangesPerAgent; index += 1) {
    const caller = pick(agentCount);
    const receiver = Math.floor(random() ** 2 * agentCount * activeShare);
    if (caller === receiver) continue;
    yield exchange(`${prefix}-tx-${index}`, agentId(caller), agentId(receiver), receiver);
  }

  function exchange(
    transactionId: string,
    callerAgentId: string,
    receiverAgentId: string,
    receiver: number,
  ): StreamEvents {
    const parties = { transactionId, callerAgentId, receiverAgentId, universe: production };
    const request = { httpMethod: 'POST', streaming: false, requestDigest: sha256(transactionId), requestBytes: 200 };
    const answer = { statusCode: 200, responseDigest: sha256(receiverAgentId), responseBytes: 500, durationMs: 20 };
    const events: RegistryEvent[] = [
      {
        type: 'ExchangeStarted',
        data: { ...parties, messageProtocol: 'a2a', ...request, startedAt: now(), endsWithinMs: 90_000 },
      },
      { type: 'ExchangeCompleted', data: { ...parties, ...answer, completedAt: now() } },
    ];
    if (random() < 0.7) {
      const success = random() < ((receiver * 37) % 100) / 100;
      const domain = `caller-${pick(500)}.example`;
      const reviewer = {
        orgId: null,
        orgDomain: domain,
        trustScore: 50 + pick(50),
        roots: { [domain]: 1 },
        asOf: null,
      };
      const score = success ? 6 + pick(5) : 1 + pick(4);
      events.push({ type: 'ExchangeReviewed', data: { ...parties, success, score, reviewer, reviewedAt: now() } });
    }
    return { stream: exchangeStream(transactionId), events };
  }
}
