import { createHash } from 'node:crypto';
import {
  agentStream,
  exchangeStream,
  organisationStream,
  type AgentConfiguration,
  type RegistryEvent,
  type Universe,
} from '@agent-trust/contracts';
import type { EventLog, JsonObject, NewEvent } from '@agent-trust/event-log';

/** An event and the stream that it belongs to. */
export type MadeEvent = { stream: string; event: RegistryEvent };

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A small seeded generator (mulberry32): a made-up history is the same on every run. */
const seeded = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

export const agentConfigurationOf = (fields: Partial<AgentConfiguration> = {}): AgentConfiguration => ({
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
});

export const production: Universe = { kind: 'production' };

export const organisationCreated = (orgId: string, at: string): MadeEvent => ({
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
});

export type MadeAgent = {
  agentId: string;
  universe?: Universe;
  orgId?: string | null;
  orgDomain?: string | null;
  verified?: boolean;
  configuration?: Partial<AgentConfiguration>;
};

export const agentRegistered = (agent: MadeAgent, at: string): MadeEvent => ({
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
      publicKey: null,
      contact: { contactInfo: null, contactEmail: `${agent.agentId}@mail.test` },
      configuration: agentConfigurationOf(agent.configuration),
      registeredAt: at,
    },
  },
});

export const keyRotated = (agentId: string, keyHash: string, at: string): MadeEvent => ({
  stream: agentStream(agentId),
  event: { type: 'KeyRotated', data: { agentId, keyHash, claimTokenHash: null, rotatedAt: at } },
});

export const claimIssued = (agentId: string, at: string): MadeEvent => ({
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
});

export type Parties = { transactionId: string; callerAgentId: string; receiverAgentId: string; universe?: Universe };
const partiesOf = ({ transactionId, callerAgentId, receiverAgentId, universe = production }: Parties) => ({
  transactionId,
  callerAgentId,
  receiverAgentId,
  universe,
});

export const exchangeStarted = (parties: Parties, at: string): MadeEvent => ({
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
    },
  },
});

export const exchangeCompleted = (parties: Parties, at: string, statusCode = 200): MadeEvent => ({
  stream: exchangeStream(parties.transactionId),
  event: {
    type: 'ExchangeCompleted',
    data: {
      ...partiesOf(parties),
      statusCode,
      responseDigest: sha256(`${parties.transactionId} answer`),
      responseBytes: 250,
      durationMs: 42.5,
      completedAt: at,
    },
  },
});

export const exchangeFailed = (parties: Parties, at: string): MadeEvent => ({
  stream: exchangeStream(parties.transactionId),
  event: {
    type: 'ExchangeFailed',
    data: { ...partiesOf(parties), reason: 'unreachable', durationMs: 30_000, failedAt: at },
  },
});

export type MadeReview = {
  success?: boolean;
  score?: number;
  trustScore?: number;
  roots?: Record<string, number>;
  orgDomain?: string | null;
};

export const exchangeReviewed = (parties: Parties, at: string, review: MadeReview = {}): MadeEvent => ({
  stream: exchangeStream(parties.transactionId),
  event: {
    type: 'ExchangeReviewed',
    data: {
      ...partiesOf(parties),
      success: review.success ?? true,
      score: review.score ?? 9,
      reviewer: {
        orgId: null,
        orgDomain: review.orgDomain ?? null,
        trustScore: review.trustScore ?? 75,
        roots: review.roots ?? { none: 1 },
      },
      reviewedAt: at,
    },
  },
});

const capabilityNames = Array.from({ length: 400 }, (_, index) => `capability_${index}`);
const startMs = Date.UTC(2026, 0, 1);

/**
 * A mixed history as a registry would have it: organisations, agents with claims and keys, exchanges that complete or fail, most
 * of them reviewed, some in sandboxes, over about half a year.
 */
export const makeHistory = (options: { agents: number; exchanges: number; seed?: number }): MadeEvent[] => {
  const random = seeded(options.seed ?? 1);
  const pick = (count: number): number => Math.floor(random() * count);
  const events: MadeEvent[] = [];
  const organisations = Math.max(2, Math.floor(options.agents / 25));
  const stepMs = (180 * 86_400_000) / (options.exchanges + options.agents + 1);
  let clock = startMs;
  const now = (): string => new Date(Math.floor((clock += stepMs))).toISOString();

  for (let index = 0; index < organisations; index += 1) events.push(organisationCreated(`org${index}`, now()));
  const sandboxOf = (index: number): Universe => ({ kind: 'sandbox', orgId: `org${index % organisations}` });
  const isSandbox = (index: number): boolean => index % 20 === 19;
  for (let index = 0; index < options.agents; index += 1) {
    const agentId = `agent-${index}`;
    const affiliated = index % 3 !== 0 || isSandbox(index);
    const orgId = affiliated ? `org${index % organisations}` : null;
    events.push(
      agentRegistered(
        {
          agentId,
          orgId,
          orgDomain: affiliated ? `org${index % organisations}.test` : null,
          verified: affiliated,
          universe: isSandbox(index) ? sandboxOf(index) : production,
          configuration: {
            capabilities: Array.from({ length: 1 + pick(4) }, (_, place) => ({
              name: capabilityNames[(pick(100) * (place + 1) * 7) % capabilityNames.length] ?? 'quote',
              weight: place === 0 ? 3 : 1,
            })).filter((capability, place, all) => all.findIndex(({ name }) => name === capability.name) === place),
            endpointUrl: index % 11 === 10 ? null : `https://${agentId}.test/a2a`,
            settlementRail: index % 2 === 0 ? ['x402'] : ['stripe', 'manual'],
            messageProtocol: index % 7 === 6 ? 'mcp' : 'a2a',
          },
        },
        now(),
      ),
      claimIssued(agentId, now()),
      keyRotated(agentId, sha256(`${agentId} key`), now()),
    );
  }
  for (let index = 0; index < options.exchanges; index += 1) {
    const caller = pick(options.agents);
    // Some agents are asked far more often than others.
    const receiver = Math.floor(random() ** 2 * options.agents);
    if (caller === receiver) continue;
    const universe = isSandbox(receiver) ? sandboxOf(receiver) : production;
    const parties = {
      transactionId: `t${options.seed ?? 1}-${index}`,
      callerAgentId: `agent-${caller}`,
      receiverAgentId: `agent-${receiver}`,
      universe,
    };
    events.push(exchangeStarted(parties, now()));
    const failed = random() < 0.08;
    events.push(failed ? exchangeFailed(parties, now()) : exchangeCompleted(parties, now()));
    if (random() > 0.75) continue;
    const good = !failed && random() < ((receiver * 37) % 100) / 100;
    const domain = caller % 3 !== 0 ? `org${caller % organisations}.test` : null;
    const roots = domain === null ? { 'org0.test': 0.25, 'org1.test': 0.75 } : { [domain]: 1 };
    const score = good ? 7 + pick(4) : 1 + pick(5);
    const trustScore = 50 + pick(45);
    events.push(exchangeReviewed(parties, now(), { success: good, score, trustScore, roots, orgDomain: domain }));
  }
  return events;
};

const parallelAppendsMax = 200;

/** Appends a history in its order: the events of one stream one after the other, and all in the order given. Returns the last position. */
export const appendHistory = async (log: EventLog, history: readonly MadeEvent[]): Promise<bigint> => {
  let last = 0n;
  for (let start = 0; start < history.length; start += parallelAppendsMax) {
    const appends = history.slice(start, start + parallelAppendsMax).map(({ stream, event }) => {
      const made: NewEvent = {
        eventId: crypto.randomUUID(),
        type: event.type,
        data: event.data as unknown as JsonObject,
        metadata: { correlationId: 'made-history', schemaVersion: 1 },
      };
      return log.append(stream, [made], { expectedRevision: 'any' });
    });
    for (const { position } of await Promise.all(appends)) if (position > last) last = position;
  }
  return last;
};
