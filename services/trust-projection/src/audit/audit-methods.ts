import {
  DomainError,
  type EventsPageRequest,
  exchangeReviewed,
  exchangeStream,
  type LoggedEvent,
} from '@agent-trust/contracts';
import { orgIdOfName } from '@agent-trust/domain';
import type { EventLog, RecordedEvent } from '@agent-trust/event-log';
import type { CallContext } from '@agent-trust/nats-rpc';
import { WaitForPositionError } from '@agent-trust/projections';
import { leafHash, logEntryOf, toHex } from '@agent-trust/transparency-log';
import { universeKey } from '../projector/read-models/universe-key.ts';
import type { Queries } from '../queries/start-queries.ts';
import type { ReadModelDatabase } from '../shared/database.ts';
import { queryLimits } from '../shared/limits.ts';
import type { LogFollower } from '../shared/log-follower.ts';
import { sha256Hex } from '../shared/sha256-hex.ts';
import { within } from '../shared/within.ts';
import { type ArchivedEvent, findArchivedEvents } from './archived-segments/queries.ts';
import {
  type AuditQuestion,
  findAuditEvents,
  findVoidings,
  type FoundEvent,
  type FoundEvents,
  isRecordedPosition,
} from './audit-trail/find-events.ts';
import { ownerEntry, ownerView, typesShownToOwners } from './audit-trail/owner-view.ts';

export type AuditParts = {
  log: EventLog;
  record: Pick<LogFollower, 'watcher' | 'reach'> & { database: ReadModelDatabase };
  findAgent: Queries['findAgent'];
  findPaymentsOfCall: Queries['findPaymentsOfCall'];
};

/** What happened: anything, for operators; to an agent, for its owner. */
export function auditMethods(parts: AuditParts) {
  const { record, findAgent } = parts;
  return within(queryLimits.auditQueriesConcurrentMax, {
    listEvents: async ({ agentId, organisation, operator, breakGlass, ...page }, call) => {
      await untilRecorded(parts, page, call);
      const orgId = organisation === null ? null : orgIdNamed(organisation);
      const question = { ...questionOf(parts, page, call), agentId, orgId, operator, breakGlass, universe: null };
      return answered(await readFound(parts, call, await findAuditEvents(record.database, question), loggedEvent));
    },
    listAgentEvents: async ({ agentId, owner, ...page }, call) => {
      const agent = await findAgent(agentId, owner.universe);
      if (agent?.orgId !== owner.orgId) {
        throw new DomainError('agent_not_found', `${JSON.stringify(agentId)} is not one of your agents`);
      }
      await untilRecorded(parts, page, call);
      const types = (page.types ?? typesShownToOwners).filter((type) => typesShownToOwners.includes(type));
      const question = {
        // Not searched for: the place where a page ends would tell of events by a credential that is hidden.
        ...questionOf(parts, { ...page, types, credential: null }, call),
        agentId,
        orgId: null,
        operator: null,
        breakGlass: false,
        universe: universeKey(owner.universe),
      };
      const found = await findAuditEvents(record.database, question);
      const read = await readFound(parts, call, found, (event, { leafIndex }, keptHash) => ({
        ...ownerView(event, { agentId, ...owner }),
        archived: keptHash !== null,
        leafIndex: String(leafIndex),
        leafHash: keptHash ?? toHex(leafHash(logEntryOf(event))),
        // What happened is not known here any more.
        entry: keptHash === null ? ownerEntry(event, { agentId, ...owner }) : null,
      }));
      // An event whose request or credential is hidden from the owner must not be found by that either.
      const { correlationId, credential } = page;
      const events = read.events.filter(
        ({ requestId, actor }) =>
          (correlationId === null || requestId === correlationId) &&
          (credential === null || actor.keyId === credential || actor.credentials?.includes(credential)),
      );
      return answered({ ...read, events });
    },
  });
}

/**
 * A page shows everything that was in the log when it was requested. A follower waits for the next event.
 *
 * @throws DomainError `unknown_position` for a page after a position that no event has
 */
const untilRecorded = async (parts: AuditParts, page: EventsPageRequest, call: CallContext): Promise<void> => {
  const { log, record } = parts;
  const { watcher, reach } = record;
  const { after, before, waitMs } = page;
  const current = watcher.current();
  if (waitMs === 0) {
    // The log record has passed the whole page: no more events can fall into it.
    const isPassed = before !== null && current !== null && current >= BigInt(before) - 1n;
    const head = isPassed ? null : await log.headPosition();
    if (head !== null) await reach(String(head), call);
    if (after !== null && !(await isRecordedPosition(record.database, BigInt(after)))) {
      throw new DomainError(
        'unknown_position',
        `no event of the log has the position ${after}: continue from one that was given out`,
      );
    }
    return;
  }
  try {
    const timeoutMs = Math.min(waitMs, queryLimits.auditWaitMsMax, call.remainingMs());
    await watcher.waitFor(BigInt(after ?? -1) + 1n, { timeoutMs, signal: call.signal });
  } catch (error) {
    if (!(error instanceof WaitForPositionError)) throw error;
    if (error.reason === 'too_many_waiters') {
      throw new DomainError('overloaded', 'Too many followers wait for events; try again later.');
    }
    // No event came: the page is answered as it is.
  }
};

const questionOf = (
  parts: AuditParts,
  { types, correlationId, transactionId, credential, from, to, after, before, order, limit }: EventsPageRequest,
  call: CallContext,
) =>
  ({
    types,
    correlationId,
    among: transactionId === null ? null : (upTo) => positionsOfCall(parts, { transactionId, upTo }, call),
    credential,
    from: from === null ? null : new Date(from),
    to: to === null ? null : new Date(to),
    after: after === null ? null : BigInt(after),
    before: before === null ? null : BigInt(before),
    order,
    limit,
  }) satisfies Partial<AuditQuestion>;

/** Where the events of an exchange are, by its stream, the payments that name it as their call, and what made its review void. */
const positionsOfCall = async (
  { log, record, findPaymentsOfCall }: AuditParts,
  { transactionId, upTo }: { transactionId: string; upTo: bigint },
  call: CallContext,
): Promise<bigint[]> => {
  const [exchange, payments] = await Promise.all([
    log.readStream(exchangeStream(transactionId)),
    findPaymentsOfCall(transactionId, { upTo, call }),
  ]);
  const review = exchange.find(({ type }) => type === exchangeReviewed.type);
  const voidings = review === undefined ? [] : await positionsOfVoidings({ log, record }, review, upTo);
  return [...exchange.map(({ position }) => position), ...payments, ...voidings];
};

/** Where a review is among those that an operator voided. */
const positionsOfVoidings = async (
  { log, record }: Pick<AuditParts, 'log' | 'record'>,
  { position, data: { transactionId = null, receiverAgentId } }: RecordedEvent,
  upTo: bigint,
): Promise<bigint[]> => {
  if (typeof receiverAgentId !== 'string') return [];
  const places = await findVoidings(record.database, { agentId: receiverAgentId, after: position, upTo });
  for (let from = 0; from < places.length; from += queryLimits.auditReadEvents) {
    const events = await log.readAt(places.slice(from, from + queryLimits.auditReadEvents));
    const voiding = events.find(
      ({ data: { transactionIds } }) => Array.isArray(transactionIds) && transactionIds.includes(transactionId),
    );
    // A review is voided once.
    if (voiding !== undefined) return [voiding.position];
  }
  return [];
};

type ReadEvents<Shown> = Omit<FoundEvents, 'events'> & { events: Shown[] };

/**
 * Reads found events from the log and shows each; cut if the answer grows too large, but never before its first event.
 *
 * @throws Error if the log no longer has an event that was in it: any answer would hide the loss
 */
const readFound = async <Shown>(
  { log, record }: AuditParts,
  call: CallContext,
  found: FoundEvents,
  /** `keptHash` is the leaf hash of an event that was archived, else null. */
  show: (event: RecordedEvent, place: FoundEvent, keptHash: string | null) => Shown,
): Promise<ReadEvents<Shown>> => {
  const shown: Shown[] = [];
  let bytes = 0;
  for (let from = 0; from < found.events.length; from += queryLimits.auditReadEvents) {
    const places = found.events.slice(from, from + queryLimits.auditReadEvents);
    const events = new Map(
      (await log.readAt(places.map(({ position }) => position))).map((event) => [event.position, event]),
    );
    const missing = places.map(({ position }) => position).filter((position) => !events.has(position));
    const archived = missing.length === 0 ? noneArchived : await archivedAt(log, record, missing, call);
    for (const place of places) {
      const kept = archived.get(place.position);
      const event = events.get(place.position) ?? kept?.event;
      if (event === undefined) throw new Error(`the event log has no event at position ${place.position} any more`);
      const one = show(event, place, kept?.leafHash ?? null);
      shown.push(one);
      bytes += JSON.stringify(one).length;
      if (bytes >= queryLimits.auditAnswerBytesMax) {
        const isLast = shown.length === found.events.length;
        return isLast ? { ...found, events: shown } : { ...found, events: shown, seenTo: place.position, isCut: true };
      }
    }
  }
  return { ...found, events: shown };
};

const noneArchived: ReadonlyMap<bigint, ArchivedEvent> = new Map();

/** Waits for the log record first: what has left the log just now was recorded as archived before. */
const archivedAt = async (
  log: EventLog,
  { reach, database }: AuditParts['record'],
  positions: readonly bigint[],
  call: CallContext,
): Promise<ReadonlyMap<bigint, ArchivedEvent>> => {
  const head = await log.headPosition();
  if (head !== null) await reach(String(head), call);
  return findArchivedEvents(database, positions);
};

const loggedEvent = (event: RecordedEvent, { leafIndex }: FoundEvent, keptHash: string | null): LoggedEvent => {
  const entry = logEntryOf(event);
  return {
    position: entry.position,
    eventId: entry.event_id,
    stream: entry.stream,
    revision: entry.revision,
    type: entry.type,
    recordedAt: entry.recorded_at,
    metadata: { ...entry.metadata },
    data: { ...entry.data },
    operator: operatorOf(event.metadata.actor),
    leafIndex: String(leafIndex),
    archived: keptHash !== null,
    leafHash: keptHash ?? toHex(leafHash(entry)),
  };
};

/** The operator who caused an event; see `Actor` in contracts. */
const operatorOf = (actor: RecordedEvent['metadata']['actor']): LoggedEvent['operator'] => {
  if (actor?.kind !== 'admin' && actor?.kind !== 'operator') return null;
  const { id, issuer = null } = actor;
  return { id, issuer, breakGlass: id === null };
};

const answered = <Shown>({ events, upTo, seenTo, isCut }: ReadEvents<Shown>) => ({
  events,
  upTo: positionOrNull(upTo),
  seenTo: positionOrNull(seenTo),
  isCut,
});

const positionOrNull = (position: bigint | null): string | null =>
  position === null || position < 0n ? null : String(position);

/** As long as an organisation's id, which comes from its name. */
const orgIdPattern = /^[0-9a-f]{32}$/u;

const orgIdNamed = (organisation: string): string =>
  orgIdPattern.test(organisation) ? organisation : orgIdOfName(organisation, sha256Hex);
