import { backoffMs, pause } from '@agent-trust/limits';
import { histogram, secondsSince } from '@agent-trust/metrics';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type EncodedAppend, encodeAppend } from './encode-append.ts';
import {
  EventLogClosedError,
  EventLogError,
  EventLogReplacedError,
  EventLogSetupError,
  EventLogTimeoutError,
  EventLogUnavailableError,
} from './errors.ts';
import { eventLogLimits } from './limits.ts';
import type {
  AppendResult,
  EventLog,
  ExpectedRevision,
  NewEvent,
  PackedEvents,
  ReadStreamOptions,
  RecordedEvent,
  SubscribeOptions,
  Subscription,
} from './port.ts';

export type AdapterOptions = {
  /** Name of the service, shown in the server's list of connections. */
  applicationName?: string;
  /** Default deadline of an append, in milliseconds. */
  appendDeadlineMs?: number;
};

/** The part of an event log that depends on its server. Reads reject with `EventLogError`. */
export type Adapter = {
  system: 'postgresql' | 'eventstoredb';
  append(append: EncodedAppend, expected: ExpectedRevision, deadlineMs: number): Promise<AppendResult>;
  readStream(stream: string, options: ReadStreamOptions): Promise<RecordedEvent[]>;
  readAll(after: bigint | null, countMax: number): Promise<RecordedEvent[]>;
  /** Default: what `readAll` reads. */
  readPacked?(after: bigint | null, countMax: number): Promise<PackedEvents>;
  readAt(positions: readonly bigint[]): Promise<RecordedEvent[]>;
  headPosition(): Promise<bigint | null>;
  checkFormat(): Promise<void>;
  openFeed(): Feed;
  /** The shortest `pauseMs` of a subscription, for a feed that hands over each event by itself. Default 0. */
  gatherMs?: number;
  /** Called once, after all subscriptions have ended. */
  close(): Promise<void>;
};

/** The source of one subscription, which reconnects after `drop`. */
export type Feed = {
  /**
   * The next events after `after`; none if nothing came for a while or `signal` was aborted. Rejects if the connection broke.
   * @param gather called when the end of the log has grown; the events are read when it resolves
   */
  next(
    after: bigint | null,
    eventsMax: number,
    signal: AbortSignal,
    gather: () => Promise<void>,
  ): Promise<RecordedEvent[]>;
  /** The caller's error if `next` rejected. */
  failure(cause: unknown): EventLogError | null;
  /** Cuts the connection; resolves when nothing runs any more. */
  drop(): Promise<void>;
};

/** The same checks, deadlines, retries, spans and subscriptions for every adapter. */
export function eventLogOf(adapter: Adapter, closing: AbortController, options: AdapterOptions): EventLog {
  const subscriptions = new Set<Subscription>();
  let closed: Promise<void> | null = null;
  const ensureOpen = (): void => {
    if (closing.signal.aborted) throw new EventLogClosedError('The event log is closed.');
  };
  const read = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    ensureOpen();
    return retryRead(work, closing.signal);
  };
  return {
    append: (stream, events, { expectedRevision, deadlineMs }) =>
      measured(() =>
        inSpan(adapter.system, stream, events, async () => {
          ensureOpen();
          const deadline = deadlineMs ?? options.appendDeadlineMs ?? eventLogLimits.appendDeadlineMs;
          return adapter.append(encodeAppend(stream, events), expectedRevision, deadline);
        }),
      ),
    readStream: (stream, readOptions = {}) => read(() => adapter.readStream(stream, readOptions)),
    readAll: ({ after, countMax }) => read(() => adapter.readAll(after, countMax)),
    readPacked: ({ after, countMax }) =>
      read(async () => adapter.readPacked?.(after, countMax) ?? notPacked(await adapter.readAll(after, countMax))),
    readAt: async (positions) => {
      if (positions.length > eventLogLimits.readAtPositionsMax) {
        throw new RangeError(`readAt takes ${eventLogLimits.readAtPositionsMax} positions, not ${positions.length}`);
      }
      const found = new Map((await read(() => adapter.readAt(positions))).map((event) => [event.position, event]));
      return positions.flatMap((position) => found.get(position) ?? []);
    },
    headPosition: () => read(() => adapter.headPosition()),
    checkFormat: () => read(() => adapter.checkFormat()),
    subscribeToAll: (subscribeOptions) => {
      ensureOpen();
      const pauseMs = Math.max(subscribeOptions.pauseMs ?? 0, adapter.gatherMs ?? 0);
      const settings = { ...subscribeOptions, pauseMs };
      const subscription = follow(adapter, settings, () => subscriptions.delete(subscription));
      subscriptions.add(subscription);
      return subscription;
    },
    close: () => {
      closing.abort();
      closed ??= (async () => {
        await Promise.all([...subscriptions].map((subscription) => subscription.close()));
        await adapter.close();
      })();
      return closed;
    },
  };
}

const notPacked = (events: readonly RecordedEvent[]): PackedEvents => ({
  lastPosition: events.at(-1)?.position ?? null,
  unpack: () => events,
});

/** Retries a read that found the log unavailable: a connection that broke while idle must not fail the next reader. */
const retryRead = async <Result>(read: () => Promise<Result>, closing: AbortSignal): Promise<Result> => {
  for (let retries = 0; ; retries++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof EventLogUnavailableError) || retries >= eventLogLimits.readRetriesMax || closing.aborted)
        throw error;
      await pause(backoffMs(retries, eventLogLimits.reconnectBackoff), closing);
    }
  }
};

const atOnce = (): Promise<void> => Promise.resolve();

/** Follows the log over successive connections, each from the last event delivered. */
const follow = (
  adapter: Pick<Adapter, 'openFeed' | 'readAt'>,
  { after: start, afterEventId = null, batchEventsMax, pauseMs }: SubscribeOptions & { pauseMs: number },
  onEnd: () => void,
): Subscription => {
  const feed = adapter.openFeed();
  const eventsMax = Math.min(
    Math.max(1, batchEventsMax ?? eventLogLimits.subscriptionBatchEvents),
    eventLogLimits.subscriptionBatchEventsMax,
  );
  const closing = new AbortController();
  let hurried = new AbortController();
  const gather = async (): Promise<void> => {
    await pause(pauseMs, AbortSignal.any([closing.signal, hurried.signal]));
    // Before the page is read: whoever hurries meanwhile waits for one that comes after it.
    hurried = new AbortController();
  };
  const deliver = async function* (): AsyncGenerator<RecordedEvent[], void, undefined> {
    let after = start;
    let lastId = afterEventId;
    let isReconnected = false;
    let failures = 0;
    // Before the first batch, and after a full one, events wait that nobody has to be waited for.
    let isMore = true;
    try {
      while (!closing.signal.aborted) {
        let events: RecordedEvent[];
        try {
          // The log may have been replaced by an older copy while it was away.
          if (isReconnected && after !== null && lastId !== null) await ensureStillThere(adapter, after, lastId);
          isReconnected = false;
          events = await feed.next(after, eventsMax, closing.signal, isMore || pauseMs === 0 ? atOnce : gather);
          failures = 0;
        } catch (error) {
          if (closing.signal.aborted) return;
          if (error instanceof EventLogReplacedError) throw error;
          isReconnected = true;
          const failure = feed.failure(error);
          if (failure instanceof EventLogSetupError) throw failure;
          await feed.drop();
          await pause(backoffMs(failures++, eventLogLimits.reconnectBackoff), closing.signal);
          continue;
        }
        if (closing.signal.aborted) return;
        const last = events.at(-1);
        if (last !== undefined) [after, lastId] = [last.position, last.eventId];
        isMore = events.length >= eventsMax;
        if (events.length > 0) yield events;
      }
    } finally {
      closing.abort();
      await feed.drop();
      onEnd();
    }
  };
  const events = deliver();
  return {
    [Symbol.asyncIterator]: () => events,
    hurry: () => {
      // Aborting makes an error with its stack, for each caller that waits.
      if (pauseMs > 0) hurried.abort();
    },
    close: async () => {
      closing.abort();
      await feed.drop();
      // Ends a generator that waits for its consumer; one inside `next` ends by the signal, and this resolves after it.
      await events.return();
      onEnd();
    },
  };
};

/** @throws EventLogReplacedError */
const ensureStillThere = async (
  { readAt }: Pick<Adapter, 'readAt'>,
  position: bigint,
  eventId: string,
): Promise<void> => {
  const event = (await readAt([position])).find((one) => one.position === position);
  if (event?.eventId !== eventId) throw new EventLogReplacedError(position, event !== undefined);
};

/** The error of an append whose deadline has passed. */
export function lateAppend(stream: string, deadlineMs: number, mayBeWritten: boolean, cause: unknown): EventLogError {
  const name = JSON.stringify(stream);
  const last = cause === undefined ? '' : ` Last failure: ${messageOf(cause)}.`;
  const options = cause === undefined ? {} : { cause };
  return mayBeWritten
    ? new EventLogTimeoutError(
        `The append to ${name} had no answer within ${deadlineMs} ms; it may be in the log.${last}`,
        options,
      )
    : new EventLogUnavailableError(`The append to ${name} could not be made within ${deadlineMs} ms.${last}`, options);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

const appendDurations = histogram('registry.append.duration');

const measured = async (append: () => Promise<AppendResult>): Promise<AppendResult> => {
  const startedAt = performance.now();
  const end = (errorCode?: string): void =>
    appendDurations.with({ 'error.type': errorCode }).record(secondsSince(startedAt));
  try {
    const result = await append();
    end();
    return result;
  } catch (error) {
    end(error instanceof EventLogError ? error.code : 'error');
    throw error;
  }
};

const tracer = trace.getTracer('@agent-trust/event-log');

/** Runs an append in a span with its stream, its event types and its position. */
const inSpan = (
  system: Adapter['system'],
  stream: string,
  events: readonly NewEvent[],
  append: () => Promise<AppendResult>,
): Promise<AppendResult> => {
  // Sweeps and checks, which write outside of any request, begin no traces.
  if (trace.getActiveSpan() === undefined) return append();
  const attributes = {
    'db.system.name': system,
    'event_log.stream': stream,
    'event_log.event_count': events.length,
    'event_log.event_types': [...new Set(events.map((event) => event.type))],
  };
  return tracer.startActiveSpan('event_log.append', { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      const { revision, position } = await append();
      span.setAttributes({ 'event_log.revision': revision.toString(), 'event_log.position': position.toString() });
      return { revision, position };
    } catch (error) {
      if (error instanceof EventLogError) span.setAttribute('error.type', error.code);
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      span.end();
    }
  });
};
