import { encodeAppend } from '../encode-append.ts';
import { EventLogClosedError, EventLogUnavailableError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { EventLog, Subscription } from '../port.ts';
import { checkPositions } from '../read-at.ts';
import { appendSpan } from '../telemetry.ts';
import { retryRead } from '../retry-read.ts';
import { appendWithRetries } from './append.ts';
import { connectClient, disconnectClient } from './client.ts';
import { checkFormat } from './format.ts';
import { readerOf } from './read.ts';
import { subscribeToEventStoreDb } from './subscription.ts';
import { defaultTimeouts, type Timeouts } from './timeouts.ts';

export type EventStoreDbEventLogOptions = {
  /** Shown as the connection's name on the server. */
  applicationName?: string;
  appendDeadlineMs?: number;
} & Partial<Timeouts>;

/**
 * The event log in EventStoreDB (20 or later), `url` as its client reads it: `esdb://user:password@host:2113?tls=true`. Connects at the first call.
 * Position is the commit position. The server's own events (prefix $) are skipped.
 */
export function openEventStoreDbEventLog(url: string, options: EventStoreDbEventLogOptions = {}): EventLog {
  const client = connectClient(url, options.applicationName ?? 'event-log');
  const timeouts: Timeouts = { ...defaultTimeouts, ...options };
  const reader = readerOf(client, timeouts.readDeadlineMs);
  const closing = new AbortController();
  const subscriptions = new Set<Subscription>();
  let appendsUnderWay = 0;
  let closed: Promise<void> | null = null;

  const open = (): void => {
    if (closing.signal.aborted) throw new EventLogClosedError('The event log is closed.');
  };
  const read = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    open();
    return retryRead(work, closing.signal);
  };

  return {
    append: (stream, events, { expectedRevision, deadlineMs }) =>
      appendSpan('eventstoredb', stream, events, async () => {
        open();
        const encoded = encodeAppend(stream, events);
        if (appendsUnderWay >= eventLogLimits.queuedAppendsMax) {
          throw new EventLogUnavailableError(`${appendsUnderWay} appends are under way already; this one was refused.`);
        }
        appendsUnderWay += 1;
        try {
          return await appendWithRetries(
            client,
            reader,
            encoded,
            expectedRevision,
            deadlineMs ?? options.appendDeadlineMs ?? eventLogLimits.appendDeadlineMs,
            closing.signal,
          );
        } finally {
          appendsUnderWay -= 1;
        }
      }),
    readStream: (stream, readOptions = {}) => read(() => reader.readStream(stream, readOptions)),
    readAll: ({ after, countMax }) => read(() => reader.readAll(after, countMax)),
    readAt: (positions) => {
      checkPositions(positions);
      return read(() => reader.readAt(positions));
    },
    headPosition: () => read(() => reader.headPosition()),
    checkFormat: () =>
      read(() =>
        checkFormat(reader, (marker) =>
          appendWithRetries(client, reader, marker, 'no_stream', eventLogLimits.appendDeadlineMs, closing.signal),
        ),
      ),
    subscribeToAll: (subscribeOptions) => {
      open();
      const subscription = subscribeToEventStoreDb(client, reader, timeouts, subscribeOptions, () =>
        subscriptions.delete(subscription),
      );
      subscriptions.add(subscription);
      return subscription;
    },
    close: () => {
      closing.abort();
      closed ??= (async () => {
        await Promise.all([...subscriptions].map((subscription) => subscription.close()));
        await disconnectClient(client);
      })();
      return closed;
    },
  };
}
