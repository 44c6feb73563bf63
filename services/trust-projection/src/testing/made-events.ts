import { createHash } from 'node:crypto';
import {
  agentStream,
  exchangeStream,
  organisationStream,
  settlementStream,
  type AgentConfiguration,
  type ExchangeFailureReason,
  type RegistryEvent,
  type SealedText,
  type SettlementRecorded,
  type Universe,
} from '@agent-trust/contracts';

/** An event, its stream, and its actor if that matters. */
export type MadeEvent = { stream: string; event: RegistryEvent; actor?: { kind: string; id: string | null } };

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function agentConfigurationOf(fields: Partial<AgentConfiguration> = {}): AgentConfiguration {
  return {
    capabilities: [{ name: 'quote', weight: 3 }],
    endpointUrl: 'https://agent.test/a2a',
    protocol: null,
    acceptedTermsFormat: null,
    settlementRail: ['x402'],
    httpMethods: ['POST'],
    specialty: null,
    priceSchedule: null,
    paymentNetwork: null,
    paymentPayTo: null,
    paymentAsset: null,
    messageProtocol: 'a2a',
    a2aCompliant: true,
    acceptedContentTypes: ['text/plain', 'application/json'],
    payloadSchema: null,
    signupHelp: null,
    authHeaderName: null,
    ...fields,
  };
}

export const production: Universe = { kind: 'production' };

export function organisationCreated(orgId: string, at: string): MadeEvent {
  return {
    stream: organisationStream(orgId),
    event: {
      type: 'OrganisationCreated',
      data: {
        orgId,
        orgName: `Organisation ${orgId}`,
        contactEmail: `office@${orgId}.test`,
        productionKeyHash: sha256(`${orgId} production`),
        sandboxKeyHash: sha256(`${orgId} sandbox`),
        createdAt: at,
      },
    },
  };
}

export type MadeAgent = {
  agentId: string;
  universe?: Universe;
  orgId?: string | null;
  orgDomain?: string | null;
  publicKey?: string | null;
  verified?: boolean;
  configuration?: Partial<AgentConfiguration>;
};

export function agentRegistered(agent: MadeAgent, at: string): MadeEvent {
  return {
    stream: agentStream(agent.agentId),
    event: {
      type: 'AgentRegistered',
      data: {
        agentId: agent.agentId,
        universe: agent.universe ?? production,
        orgId: agent.orgId ?? null,
        orgName: agent.orgId == null ? null : `Organisation ${agent.orgId}`,
        orgDomain: agent.orgDomain ?? null,
        verified: agent.verified ?? false,
        trustPrior: agent.verified === true ? 75 : 40,
        publicKey: agent.publicKey ?? null,
        contact: { contactInfo: null, contactEmail: { keyId: 'none', sealed: 'not to be opened' } },
        configuration: agentConfigurationOf(agent.configuration),
        registeredAt: at,
      },
    },
  };
}

export function keyRotated(agentId: string, keyHash: string, at: string): MadeEvent {
  return {
    stream: agentStream(agentId),
    event: { type: 'KeyRotated', data: { agentId, keyHash, claimTokenHash: null, rotatedAt: at } },
  };
}

export function claimIssued(agentId: string, at: string): MadeEvent {
  return {
    stream: agentStream(agentId),
    event: {
      type: 'ClaimIssued',
      data: {
        agentId,
        claimTokenHash: sha256(`${agentId} ${at}`),
        reason: 'registration',
        issuedAt: at,
        expiresAt: null,
      },
    },
  };
}

export type Parties = { transactionId: string; callerAgentId: string; receiverAgentId: string; universe?: Universe };
const partiesOf = ({ transactionId, callerAgentId, receiverAgentId, universe = production }: Parties) => ({
  transactionId,
  callerAgentId,
  receiverAgentId,
  universe,
});

export function exchangeStarted(parties: Parties, at: string): MadeEvent {
  return {
    stream: exchangeStream(parties.transactionId),
    event: {
      type: 'ExchangeStarted',
      data: {
        ...partiesOf(parties),
        messageProtocol: 'a2a',
        httpMethod: 'POST',
        streaming: false,
        requestDigest: sha256(parties.transactionId),
        requestBytes: 120,
        startedAt: at,
        endsWithinMs: 90_000,
      },
    },
  };
}

export function exchangeCompleted(parties: Parties, at: string, statusCode = 200, durationMs = 42.5): MadeEvent {
  return {
    stream: exchangeStream(parties.transactionId),
    event: {
      type: 'ExchangeCompleted',
      data: {
        ...partiesOf(parties),
        statusCode,
        responseDigest: sha256(`${parties.transactionId} answer`),
        responseBytes: 250,
        durationMs,
        completedAt: at,
      },
    },
  };
}

export function exchangeFailed(parties: Parties, at: string, reason: ExchangeFailureReason = 'unreachable'): MadeEvent {
  return {
    stream: exchangeStream(parties.transactionId),
    event: {
      type: 'ExchangeFailed',
      data: { ...partiesOf(parties), reason, durationMs: 30_000, failedAt: at },
    },
  };
}

export function exchangeAbandoned(parties: Parties, at: string): MadeEvent {
  return {
    stream: exchangeStream(parties.transactionId),
    event: { type: 'ExchangeAbandoned', data: { ...partiesOf(parties), abandonedAt: at } },
  };
}

export type MadeReview = {
  success?: boolean;
  score?: number;
  trustScore?: number;
  roots?: Record<string, number>;
  orgId?: string | null;
  orgDomain?: string | null;
};

export function exchangeReviewed(parties: Parties, at: string, review: MadeReview = {}): MadeEvent {
  return {
    stream: exchangeStream(parties.transactionId),
    event: {
      type: 'ExchangeReviewed',
      data: {
        ...partiesOf(parties),
        success: review.success ?? true,
        score: review.score ?? 9,
        reviewer: {
          orgId: review.orgId ?? null,
          orgDomain: review.orgDomain ?? null,
          trustScore: review.trustScore ?? 75,
          roots: review.roots ?? { none: 1 },
          asOf: null,
        },
        reviewedAt: at,
      },
    },
  };
}

export function reviewAnswered(
  parties: Parties,
  at: string,
  answer: SealedText = { keyId: `key of ${parties.receiverAgentId}`, sealed: `answer to ${parties.transactionId}` },
): MadeEvent {
  return {
    stream: exchangeStream(parties.transactionId),
    event: { type: 'ReviewAnswered', data: { ...partiesOf(parties), answer, answeredAt: at } },
  };
}

/** A UUID derived from a text. */
const uuidOf = (text: string): string =>
  sha256(text).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/u, '$1-$2-8$3-8$4-$5');

export type MadeSettlement = Partial<SettlementRecorded['data']> & { receiverAgentId: string };

/** A settlement of 0.01 USDC; its transaction is named after `name`. */
export function settlementRecorded(name: string, at: string, settlement: MadeSettlement): MadeEvent {
  const data: SettlementRecorded['data'] = {
    settlementId: uuidOf(name),
    universe: production,
    callerAgentId: null,
    callRef: null,
    attribution: 'none',
    via: 'pay',
    settlementRail: 'x402',
    x402Version: 2,
    scheme: 'exact',
    network: 'eip155:8453',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    currency: 'USDC',
    decimals: 6,
    amountAtomic: '10000',
    payeeAddress: '0xpayee',
    payerAddress: '0xpayer',
    confirmationRef: `0x${sha256(name)}`,
    blockNumber: null,
    settledAt: at,
    ...settlement,
  };
  return { stream: settlementStream(data.settlementId), event: { type: 'SettlementRecorded', data } };
}
