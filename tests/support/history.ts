import { createHash } from 'node:crypto';
import type {
  AgentRegistered,
  ExchangeCompleted,
  ExchangeEvent,
  ExchangeStarted,
  OrganisationCreated,
  RegistryEvent,
} from '@agent-trust/contracts';
import { agentStream, eventDefinitions, exchangeStream, organisationStream, production } from '@agent-trust/contracts';
import type { EventLog, JsonObject } from '@agent-trust/event-log';
import { seededRandom } from '@agent-trust/test-kit/seeded-random';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export type StreamEvents = { stream: string; events: RegistryEvent[] };
export type HistoryOptions = {
  seed: number;
  /** Approximate number of events; an exchange is never split. */
  eventCount: number;
  agentCount: number;
  /** Prefix of every id, so that several histories can share a log. */
  prefix: string;
  /** Of the exchanges that were reviewed; 0.6 if absent. */
  reviewShare?: number | undefined;
};

type Parties = Pick<ExchangeStarted['data'], 'transactionId' | 'callerAgentId' | 'receiverAgentId' | 'universe'>;

/** @param made.name what the message was, for its digest */
export function startedExchange(
  parties: Parties,
  { name, ...made }: Pick<ExchangeStarted['data'], 'requestBytes' | 'startedAt'> & { name: string | number },
): ExchangeStarted {
  return {
    type: 'ExchangeStarted',
    data: {
      ...parties,
      messageProtocol: 'a2a',
      httpMethod: 'POST',
      streaming: false,
      requestDigest: sha256(`request ${name}`),
      endsWithinMs: 90_000,
      ...made,
    },
  };
}

/** @param made.name what the answer was, for its digest */
export function completedExchange(
  parties: Parties,
  {
    name,
    ...made
  }: Pick<ExchangeCompleted['data'], 'responseBytes' | 'durationMs' | 'completedAt'> & { name: string | number },
): ExchangeCompleted {
  return {
    type: 'ExchangeCompleted',
    data: { ...parties, statusCode: 200, responseDigest: sha256(`answer ${name}`), ...made },
  };
}

const startAt = Date.parse('2026-01-01T00:00:00.000Z');
const orgCount = 20;

/**
 * A history of the registry as the services write it: organisations, agents (a third of them without an organisation), and exchanges that
 * complete, fail or get reviewed, by seeded chance.
 */
export function* makeHistory(options: HistoryOptions): Generator<StreamEvents> {
  const random = seededRandom(options.seed);
  const pick = (count: number): number => Math.floor(random() * count);
  let clock = startAt;
  const now = (): string => {
    clock += 1 + pick(60_000);
    return new Date(clock).toISOString();
  };
  const { prefix, reviewShare = 0.6 } = options;
  let made = 0;
  const emit = (stream: string, events: RegistryEvent[]): StreamEvents => {
    made += events.length;
    return { stream, events };
  };

  for (let org = 0; org < orgCount; org += 1) {
    const created: OrganisationCreated = {
      type: 'OrganisationCreated',
      data: {
        orgId: `${prefix}-org-${org}`,
        orgName: `${prefix} Org ${org}`,
        contactEmail: 'ops@org.example',
        productionKeyHash: sha256(`${prefix}-org-key-${org}`),
        sandboxKeyHash: sha256(`${prefix}-org-sandbox-key-${org}`),
        createdAt: now(),
      },
    };
    yield emit(organisationStream(created.data.orgId), [created]);
  }

  const agents: { agentId: string; orgId: string | null; orgDomain: string | null }[] = [];
  for (let agent = 0; agent < options.agentCount; agent += 1) {
    const agentId = `${prefix}-agent-${agent}`;
    const org = agent % 3 === 0 ? null : agent % orgCount;
    const registeredAt = now();
    const orgId = org === null ? null : `${prefix}-org-${org}`;
    const orgDomain = org === null ? null : `agent-${agent}.${prefix}.example`;
    agents.push({ agentId, orgId, orgDomain });
    const registered: AgentRegistered = {
      type: 'AgentRegistered',
      data: {
        agentId,
        universe: production,
        orgId,
        orgName: org === null ? null : `${prefix} Org ${org}`,
        orgDomain,
        verified: org !== null,
        trustPrior: org === null ? 40 : 75,
        publicKey: null,
        contact: { contactInfo: null, contactEmail: { keyId: 'none', sealed: 'not to be opened' } },
        configuration: {
          capabilities: [{ name: `capability_${agent % 50}`, weight: 1 + (agent % 3) }],
          endpointUrl: `https://agent-${agent}.example/rpc`,
          protocol: null,
          acceptedTermsFormat: null,
          settlementRail: agent % 2 === 0 ? ['x402'] : null,
          httpMethods: null,
          specialty: `Agent number ${agent}`,
          priceSchedule: null,
          paymentNetwork: null,
          paymentPayTo: null,
          paymentAsset: null,
          messageProtocol: 'a2a',
          a2aCompliant: false,
          acceptedContentTypes: ['text/plain', 'application/json'],
          payloadSchema: null,
          signupHelp: null,
          authHeaderName: null,
        },
        registeredAt,
      },
    };
    yield emit(agentStream(agentId), [
      registered,
      {
        type: 'KeyRotated',
        data: { agentId, keyHash: sha256(`${prefix}-key-${agent}`), claimTokenHash: null, rotatedAt: registeredAt },
      },
    ]);
  }

  for (let exchange = 0; made < options.eventCount; exchange += 1) {
    const caller = agents[pick(agents.length)];
    const receiver = agents[pick(agents.length)];
    if (caller === undefined || receiver === undefined || caller === receiver) continue;
    const parties = {
      transactionId: `${prefix}-tx-${exchange}`,
      callerAgentId: caller.agentId,
      receiverAgentId: receiver.agentId,
      universe: production,
    };
    const events: ExchangeEvent[] = [
      startedExchange(parties, { name: exchange, requestBytes: 100 + pick(1_000), startedAt: now() }),
      random() < 0.9
        ? completedExchange(parties, {
            name: exchange,
            responseBytes: pick(5_000),
            durationMs: pick(500),
            completedAt: now(),
          })
        : { type: 'ExchangeFailed', data: { ...parties, reason: 'timeout', durationMs: 30_000, failedAt: now() } },
    ];
    if (random() < reviewShare) {
      const success = random() < 0.8;
      events.push({
        type: 'ExchangeReviewed',
        data: {
          ...parties,
          success,
          score: success ? 6 + pick(5) : 1 + pick(4),
          reviewer: {
            orgId: caller.orgId,
            orgDomain: caller.orgDomain,
            trustScore: 50 + pick(50),
            roots: { [caller.orgDomain ?? 'none']: 1 },
            asOf: null,
          },
          reviewedAt: now(),
        },
      });
    }
    yield emit(exchangeStream(parties.transactionId), events);
  }
}

/** Concurrent appends; the log batches them into few round trips. */
const appendsAtOnce = 256;

const eventIdOf = (seedText: string): string => {
  const hex = sha256(seedText);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** The current schema version of every event. */
const versions = new Map(eventDefinitions.map(({ type, version }) => [type, version]));

/** Appends a history to a log; returns its number of events and the position of the last one. */
export function appendHistory(log: EventLog, options: HistoryOptions): Promise<{ events: number; position: bigint }> {
  return appendStreams(log, makeHistory(options));
}

/** Appends new streams to a log, many at once; returns the number of events and the position of the last one. */
export async function appendStreams(
  log: EventLog,
  history: Iterator<StreamEvents>,
): Promise<{ events: number; position: bigint }> {
  let events = 0;
  let position = 0n;
  const work = async (): Promise<void> => {
    for (let next = history.next(); next.done !== true; next = history.next()) {
      const { stream, events: decided } = next.value;
      const recorded = decided.map(({ type, data }, index) => ({
        eventId: eventIdOf(`${stream} ${index}`),
        type,
        data: data as JsonObject,
        metadata: { schemaVersion: versions.get(type) ?? 1 },
      }));
      const result = await log.append(stream, recorded, { expectedRevision: 'no_stream' });
      events += recorded.length;
      if (result.position > position) position = result.position;
    }
  };
  await Promise.all(Array.from({ length: appendsAtOnce }, work));
  return { events, position };
}
