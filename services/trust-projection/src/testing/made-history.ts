import { eventDefinitions, type Universe } from '@agent-trust/contracts';
import type { EventLog, JsonObject, NewEvent } from '@agent-trust/event-log';
import { seededRandom } from '@agent-trust/test-kit/seeded-random';
import { type LivingAgent, someChange } from './made-changes.ts';
import {
  agentConfigurationOf,
  agentRegistered,
  claimIssued,
  exchangeAbandoned,
  exchangeCompleted,
  exchangeFailed,
  exchangeReviewed,
  exchangeStarted,
  keyRotated,
  type MadeEvent,
  organisationCreated,
  production,
  reviewAnswered,
  settlementRecorded,
  sha256,
} from './made-events.ts';

export * from './made-events.ts';

const capabilityNames = Array.from({ length: 400 }, (_, index) => `capability_${index}`);
const failureReasons = ['unreachable', 'timeout', 'cancelled'] as const;
const startMs = Date.UTC(2026, 0, 1);

/**
 * A mixed history of a registry: organisations, agents with claims and keys, exchanges that complete or fail, most of them reviewed, some in
 * sandboxes, over about half a year. `changes` adds that many changes of agents meanwhile, of all other event types.
 */
export function makeHistory(options: {
  agents: number;
  exchanges: number;
  changes?: number;
  seed?: number;
}): MadeEvent[] {
  const random = seededRandom(options.seed ?? 1);
  const pick = (count: number): number => Math.floor(random() * count);
  const events: MadeEvent[] = [];
  const organisations = Math.max(2, Math.floor(options.agents / 25));
  const living: LivingAgent[] = [];
  const changesPerExchange = (options.changes ?? 0) / options.exchanges;
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
    const universe = isSandbox(index) ? sandboxOf(index) : production;
    const configuration = agentConfigurationOf({
      capabilities: Array.from({ length: 1 + pick(4) }, (_, place) => ({
        name: capabilityNames[(pick(100) * (place + 1) * 7) % capabilityNames.length] ?? 'quote',
        weight: place === 0 ? 3 : 1,
      })).filter((capability, place, all) => all.findIndex(({ name }) => name === capability.name) === place),
      endpointUrl: index % 11 === 10 ? null : `https://${agentId}.test/a2a`,
      settlementRail: index % 2 === 0 ? ['x402'] : ['stripe', 'manual'],
      messageProtocol: index % 7 === 6 ? 'mcp' : 'a2a',
    });
    const orgDomain = affiliated ? `org${index % organisations}.test` : null;
    living.push({ agentId, universe, orgId, configuration, pairedWith: null });
    events.push(
      agentRegistered({ agentId, orgId, orgDomain, verified: affiliated, universe, configuration }, now()),
      claimIssued(agentId, now()),
      keyRotated(agentId, sha256(`${agentId} key`), now()),
    );
  }
  for (let index = 0; index < options.exchanges; index += 1) {
    // The generator draws for changes only if some are requested, so that histories without them stay the same.
    if (changesPerExchange > 0) {
      for (let due = changesPerExchange; random() < due; due -= 1) {
        events.push(...someChange(living, { random, pick, now }));
      }
    }
    const caller = pick(options.agents);
    // Some agents are called far more often than others.
    const receiver = Math.floor(random() ** 2 * options.agents);
    if (caller === receiver) continue;
    const universe = living[receiver]?.universe ?? production;
    const parties = {
      transactionId: `t${options.seed ?? 1}-${index}`,
      callerAgentId: `agent-${caller}`,
      receiverAgentId: `agent-${receiver}`,
      universe,
    };
    events.push(exchangeStarted(parties, now()));
    // An agent may move while it is being called, and before it is reviewed.
    if (changesPerExchange > 0 && random() < 0.05) events.push(...someChange(living, { random, pick, now }));
    if (changesPerExchange > 0 && random() < 0.02) {
      events.push(exchangeAbandoned(parties, now()));
      continue;
    }
    const failed = random() < 0.08;
    // Not drawn: further draws would make other histories.
    const reason = failureReasons[index % failureReasons.length];
    const durationMs = (index * 37) % 5_000;
    events.push(failed ? exchangeFailed(parties, now(), reason) : exchangeCompleted(parties, now(), 200, durationMs));
    if (changesPerExchange > 0 && random() < 0.1) {
      const { callerAgentId, receiverAgentId, transactionId: callRef } = parties;
      const paid = { receiverAgentId, callerAgentId, callRef, attribution: 'call_ref', universe } as const;
      events.push(settlementRecorded(callRef, now(), { ...paid, amountAtomic: String(pick(1_000_000)) }));
    }
    if (random() > 0.75) continue;
    const good = !failed && random() < ((receiver * 37) % 100) / 100;
    const domain = caller % 3 !== 0 ? `org${caller % organisations}.test` : null;
    const roots = domain === null ? { 'org0.test': 0.25, 'org1.test': 0.75 } : { [domain]: 1 };
    const score = good ? 7 + pick(4) : 1 + pick(5);
    const trustScore = 50 + pick(45);
    (living[receiver]!.reviewed ??= []).push(parties.transactionId);
    events.push(exchangeReviewed(parties, now(), { success: good, score, trustScore, roots, orgDomain: domain }));
    if (changesPerExchange > 0 && random() < 0.2) events.push(reviewAnswered(parties, now()));
  }
  return events;
}

const parallelAppendsMax = 200;
/** The current schema version of every event. */
const versions = new Map(eventDefinitions.map(({ type, version }) => [type, version]));

/** The events that are appended at one time: those before one that speaks of other streams are in the log by then. */
function* appendedTogether(history: readonly MadeEvent[]): Generator<readonly MadeEvent[]> {
  let start = 0;
  for (const [index, { event }] of history.entries()) {
    if (index - start < parallelAppendsMax && event.type !== 'ReviewsVoided') continue;
    yield history.slice(start, index);
    start = index;
  }
  yield history.slice(start);
}

/** Appends a history: the events of one stream one after the other, and all nearly in the given order. Returns the last position. */
export async function appendHistory(log: EventLog, history: readonly MadeEvent[]): Promise<bigint> {
  let last = 0n;
  for (const together of appendedTogether(history)) {
    const appends = together.map(({ stream, event, actor }) => {
      const made: NewEvent = {
        eventId: crypto.randomUUID(),
        type: event.type,
        data: event.data as unknown as JsonObject,
        metadata: {
          correlationId: 'made-history',
          schemaVersion: versions.get(event.type) ?? 1,
          ...(actor === undefined ? {} : { actor }),
        },
      };
      return log.append(stream, [made], { expectedRevision: 'any' });
    });
    for (const { position } of await Promise.all(appends)) if (position > last) last = position;
  }
  return last;
}
