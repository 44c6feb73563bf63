import { type Adapter, type AdapterOptions, eventLogOf } from '../adapter.ts';
import { EventLogUnavailableError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { EventLog } from '../port.ts';
import { appendWithRetries } from './append.ts';
import { Connection } from './connection.ts';
import { readConnectionString } from './connection-string.ts';
import { checkFormat } from './format.ts';
import { readerOf } from './read.ts';
import { EventStoreDbFeed, type FeedTimeouts } from './subscription.ts';

type EventStoreDbOptions = AdapterOptions & Partial<FeedTimeouts> & { readDeadlineMs?: number };

/**
 * The event log in EventStoreDB (21.10 or later), `url` as its client reads it: `esdb://user:password@host:2113?tls=true`. Connects at the first
 * call. Position is the commit position. The server's own events (prefix $) are skipped.
 */
export function openEventStoreDbEventLog(url: string, options: EventStoreDbOptions = {}): EventLog {
  const address = readConnectionString(url, options.applicationName ?? 'event-log');
  const closing = new AbortController();
  const connection = new Connection(address, closing.signal);
  const reader = readerOf(connection, options.readDeadlineMs ?? eventLogLimits.readDeadlineMs);
  const { queuedAppendsMax, queuedBytesMax } = eventLogLimits;
  let appendsUnderWay = 0;
  let bytesUnderWay = 0;

  const append: Adapter['append'] = async (encoded, expected, deadlineMs) => {
    if (appendsUnderWay >= queuedAppendsMax || bytesUnderWay + encoded.bytes > queuedBytesMax) {
      throw new EventLogUnavailableError(`${appendsUnderWay} appends are under way already; this one was refused.`);
    }
    appendsUnderWay += 1;
    bytesUnderWay += encoded.bytes;
    try {
      return await appendWithRetries(connection, reader, encoded, expected, deadlineMs);
    } finally {
      appendsUnderWay -= 1;
      bytesUnderWay -= encoded.bytes;
    }
  };
  const adapter: Adapter = {
    ...reader,
    system: 'eventstoredb',
    append,
    gatherMs: eventLogLimits.eventStoreDb.gatherMs,
    checkFormat: () => checkFormat(reader, (marker) => append(marker, 'no_stream', eventLogLimits.appendDeadlineMs)),
    openFeed: () =>
      new EventStoreDbFeed(connection, reader, {
        confirmationDeadlineMs: options.confirmationDeadlineMs ?? eventLogLimits.connectDeadlineMs,
        idleCheckMs: options.idleCheckMs ?? eventLogLimits.subscriptionIdleCheckMs,
      }),
    close: async () => connection.close(),
  };
  return eventLogOf(adapter, closing, options);
}
