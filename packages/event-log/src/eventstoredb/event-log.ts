import { type Adapter, type AdapterOptions, eventLogOf } from '../adapter.ts';
import { EventLogUnavailableError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { EventLog } from '../port.ts';
import { appendWithRetries } from './append.ts';
import { connectClient, disconnectClient } from './client.ts';
import { checkFormat } from './format.ts';
import { readerOf } from './read.ts';
import { EventStoreDbFeed, type FeedTimeouts } from './subscription.ts';

type EventStoreDbOptions = AdapterOptions & Partial<FeedTimeouts> & { readDeadlineMs?: number };

/**
 * The event log in EventStoreDB (20 or later), `url` as its client reads it: `esdb://user:password@host:2113?tls=true`. Connects at the first call.
 * Position is the commit position. The server's own events (prefix $) are skipped.
 */
export function openEventStoreDbEventLog(url: string, options: EventStoreDbOptions = {}): EventLog {
  const client = connectClient(url, options.applicationName ?? 'event-log');
  const reader = readerOf(client, options.readDeadlineMs ?? eventLogLimits.readDeadlineMs);
  const closing = new AbortController();
  let appendsUnderWay = 0;

  const append: Adapter['append'] = async (encoded, expected, deadlineMs) => {
    if (appendsUnderWay >= eventLogLimits.queuedAppendsMax) {
      throw new EventLogUnavailableError(`${appendsUnderWay} appends are under way already; this one was refused.`);
    }
    appendsUnderWay += 1;
    try {
      return await appendWithRetries(client, reader, encoded, expected, deadlineMs, closing.signal);
    } finally {
      appendsUnderWay -= 1;
    }
  };
  const adapter: Adapter = {
    ...reader,
    system: 'eventstoredb',
    append,
    checkFormat: () => checkFormat(reader, (marker) => append(marker, 'no_stream', eventLogLimits.appendDeadlineMs)),
    openFeed: () =>
      new EventStoreDbFeed(client, reader, {
        confirmationDeadlineMs: options.confirmationDeadlineMs ?? eventLogLimits.connectDeadlineMs,
        idleCheckMs: options.idleCheckMs ?? eventLogLimits.subscriptionIdleCheckMs,
      }),
    close: () => disconnectClient(client),
  };
  return eventLogOf(adapter, closing, options);
}
