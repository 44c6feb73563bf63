import { archiveStream, type ExchangeEvent, type ExchangeStarted, exchangeStream } from '@agent-trust/contracts';
import type { EventLog, PackedEvents, RecordedEvent } from '@agent-trust/event-log';
import {
  type ArchivedAnswer,
  type ArchivedExchange,
  archiveLimits,
  recordOf,
  unpackExchanges,
} from '@agent-trust/log-archive';
import { endedExchange, isOfLiveness } from '../../projector/read-models/recent-exchanges/ended-exchange.ts';
import { decodeRegistryEvent } from '../../projector/read-models/registry-event.ts';
import { archiveToolLimits } from './limits.ts';

/** An exchange with its two events. */
export type SelectedExchange = { start: RecordedEvent; end: RecordedEvent; archived: ArchivedExchange };

/** The exchanges of one segment. */
export type Selection = {
  exchanges: SelectedExchange[];
  /** No exchange of a later selection has an event up to here. */
  completeUpTo: bigint;
};

type SelectOptions = {
  /** Exchanges whose end was recorded before, by the log's clock. */
  endedBefore: Date;
  /** Everything up to here was archived by earlier runs, or stays. */
  after: bigint;
  segmentExchangesMax: number;
  onRead: (position: bigint) => void;
  signal: AbortSignal;
};

/**
 * Selects the exchanges that ended before a time and that nobody has reviewed, in the order of their ends. Reads the log twice: whether an
 * exchange was reviewed is only known at its end.
 */
export async function* selectExchanges(
  log: Pick<EventLog, 'readPacked' | 'readStream'>,
  options: SelectOptions,
): AsyncGenerator<Selection> {
  const staying = await reviewedStreams(log, options);
  for (const stream of await streamsInRecords(log, options.after)) staying.add(stream);
  const { endedBefore, after } = options;
  const organisations = new Map<string, string | null>();
  const open = new Map<string, RecordedEvent>();
  let events = 0;
  const openedAt = new Map<string, number>();
  let selected = emptySelection();
  for await (const recorded of eventsAfter(log, null, options)) {
    events += 1;
    switch (recorded.type) {
      case 'AgentRegistered':
      case 'AgentAdopted': {
        const { agentId, orgId } = recorded.data as { agentId: string; orgId: string | null };
        organisations.set(agentId, orgId);
        break;
      }
      case 'ExchangeStarted':
        if (recorded.position <= after || staying.has(recorded.stream)) break;
        open.set(recorded.stream, recorded);
        openedAt.set(recorded.stream, events);
        break;
      case 'ExchangeCompleted':
      case 'ExchangeFailed':
      case 'ExchangeAbandoned': {
        if (recorded.recordedAt >= endedBefore) {
          yield* lastOf(selected);
          return;
        }
        const start = open.get(recorded.stream);
        if (start === undefined) break;
        open.delete(recorded.stream);
        openedAt.delete(recorded.stream);
        add(selected, start, recorded, organisations);
        if (!isFull(selected, options.segmentExchangesMax)) break;
        forgetLongOpen(open, openedAt, events);
        const [oldest] = open.values();
        yield { exchanges: selected.exchanges, completeUpTo: (oldest?.position ?? recorded.position + 1n) - 1n };
        selected = emptySelection();
        break;
      }
      default:
    }
  }
  yield* lastOf(selected);
}

type Growing = { exchanges: SelectedExchange[]; agentIds: Set<string>; agentIdBytes: number };

const emptySelection = (): Growing => ({ exchanges: [], agentIds: new Set(), agentIdBytes: 0 });

const isFull = ({ exchanges, agentIdBytes }: Growing, exchangesMax: number): boolean =>
  exchanges.length >= exchangesMax || agentIdBytes >= archiveLimits.segmentAgentIdBytesMax;

/** What is open now ends too late to be archived by this run, and later runs leave it: their segments are behind this one. */
function* lastOf({ exchanges }: Growing): Generator<Selection> {
  const last = exchanges.at(-1);
  if (last !== undefined) yield { exchanges, completeUpTo: last.end.position };
}

const forgetLongOpen = (open: Map<string, RecordedEvent>, openedAt: Map<string, number>, events: number): void => {
  for (const [stream, opened] of openedAt) {
    if (events - opened <= archiveToolLimits.openEventsMax) return;
    open.delete(stream);
    openedAt.delete(stream);
  }
};

const add = (
  selected: Growing,
  start: RecordedEvent,
  end: RecordedEvent,
  organisations: ReadonlyMap<string, string | null>,
): void => {
  const archived = archivedOf(start, end, organisations);
  selected.exchanges.push({ start, end, archived });
  for (const agentId of [archived.callerAgentId, archived.receiverAgentId]) {
    if (selected.agentIds.has(agentId)) continue;
    selected.agentIds.add(agentId);
    selected.agentIdBytes += Buffer.byteLength(agentId);
  }
};

const archivedOf = (
  start: RecordedEvent,
  end: RecordedEvent,
  organisations: ReadonlyMap<string, string | null>,
): ArchivedExchange => {
  const event = decodeRegistryEvent(end) as ExchangeEvent;
  const { transactionId, callerAgentId, receiverAgentId, universe } = event.data;
  const callerOrgId = organisations.get(callerAgentId) ?? null;
  const common = {
    transactionId,
    callerAgentId,
    receiverAgentId,
    isProduction: universe.kind === 'production',
    isOfOtherOrganisation: callerOrgId !== null && callerOrgId !== (organisations.get(receiverAgentId) ?? null),
    answer: answerOf(start, event, { recordedAt: end.recordedAt, callerOrgId }),
  };
  switch (event.type) {
    case 'ExchangeCompleted':
      return { ...common, outcome: 'completed', endedAtMs: Date.parse(event.data.completedAt) };
    case 'ExchangeFailed':
      return { ...common, outcome: 'failed', endedAtMs: Date.parse(event.data.failedAt) };
    case 'ExchangeAbandoned':
      return { ...common, outcome: 'abandoned', endedAtMs: Date.parse(event.data.abandonedAt) };
    default:
      throw new Error(`the event at position ${end.position} is no end of an exchange`);
  }
};

const answerOf = (
  start: RecordedEvent,
  end: ExchangeEvent,
  known: { recordedAt: Date; callerOrgId: string | null },
): ArchivedAnswer | null => {
  if (!isOfLiveness(end)) return null;
  const { startedAt } = (decodeRegistryEvent(start) as ExchangeStarted).data;
  const { beganMs, answerMs, outcome, callerOrgId } = endedExchange(end, { ...known, startedAt: new Date(startedAt) });
  return { beganMs, answerMs, timedOut: outcome === 'timed_out', callerOrgId };
};

const reviewedStreams = async (log: Pick<EventLog, 'readPacked'>, options: SelectOptions): Promise<Set<string>> => {
  const reviewed = new Set<string>();
  const review = 'ExchangeReviewed';
  for await (const { type, stream } of eventsAfter(log, options.after, options, review)) {
    if (type === review) reviewed.add(stream);
  }
  return reviewed;
};

/** Exchanges behind a position that a record has already: restored ones, above all. They are counted. */
const streamsInRecords = async (log: Pick<EventLog, 'readStream'>, after: bigint): Promise<string[]> => {
  const streams: string[] = [];
  for (let fromRevision: bigint | undefined; ; ) {
    const events = await log.readStream(archiveStream, {
      direction: 'backwards',
      countMax: archiveLimits.recordsPerRead,
      ...(fromRevision === undefined ? {} : { fromRevision }),
    });
    for (const recorded of events) {
      const record = recordOf(recorded);
      if (record === null) continue;
      if (BigInt(record.lastPosition) <= after) return streams;
      streams.push(...unpackExchanges(record).map(({ transactionId }) => exchangeStream(transactionId)));
    }
    const last = events.at(-1);
    if (last === undefined || last.revision === 0n) return streams;
    fromRevision = last.revision - 1n;
  }
};

async function* eventsAfter(
  log: Pick<EventLog, 'readPacked'>,
  start: bigint | null,
  { onRead, signal }: SelectOptions,
  type?: string,
): AsyncGenerator<RecordedEvent> {
  const read = (after: bigint | null): Promise<PackedEvents> => {
    const page = log.readPacked({ after: after === -1n ? null : after, countMax: archiveToolLimits.readEvents });
    // It may fail before it is awaited; the consumer gets the error.
    page.catch(() => undefined);
    return page;
  };
  for (let pending = read(start); ; ) {
    signal.throwIfAborted();
    const page = await pending;
    if (page.lastPosition === null) return;
    pending = read(page.lastPosition);
    yield* page.unpack(type);
    onRead(page.lastPosition);
  }
}
