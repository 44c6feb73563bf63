import type { EventStoreDBClient } from '@eventstore/db-client';
import { backoffMs, pause } from '@agent-trust/limits';
import { EventLogSetupError, EventLogUnavailableError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { RecordedEvent, SubscribeOptions, Subscription } from '../port.ts';
import { readFailure } from './failures.ts';
import { Feed } from './feed.ts';
import type { Reader } from './read.ts';
import type { Timeouts } from './timeouts.ts';

/** Follows the log over successive subscriptions of the client, each from the last event delivered. */
export function subscribeToEventStoreDb(
  client: EventStoreDBClient,
  reader: Reader,
  timeouts: Timeouts,
  options: SubscribeOptions,
  onEnd: () => void,
): Subscription {
  const eventsMax = Math.min(
    Math.max(1, options.batchEventsMax ?? eventLogLimits.subscriptionBatchEvents),
    eventLogLimits.subscriptionBatchEventsMax,
  );
  const closing = new AbortController();

  const deliver = async function* (): AsyncGenerator<RecordedEvent[], void, undefined> {
    let after = options.after;
    let failures = 0;
    let feed: Feed | null = null;
    try {
      while (!closing.signal.aborted) {
        feed ??= new Feed(client, after, timeouts.confirmationDeadlineMs);
        let events: RecordedEvent[];
        try {
          events = await nextEvents(feed, reader, {
            after,
            eventsMax,
            idleCheckMs: timeouts.idleCheckMs,
            signal: closing.signal,
          });
          failures = 0;
        } catch (error) {
          await feed.close();
          feed = null;
          if (closing.signal.aborted) return;
          const failure = readFailure('A subscription to the log', '$all', error);
          if (failure instanceof EventLogSetupError) throw failure;
          await pause(backoffMs(failures++, eventLogLimits.reconnectBackoff), closing.signal);
          continue;
        }
        if (closing.signal.aborted) return;
        const last = events.at(-1);
        if (last === undefined) continue;
        after = last.position;
        yield events;
      }
    } finally {
      await feed?.close();
      onEnd();
    }
  };

  const events = deliver();
  return {
    [Symbol.asyncIterator]: () => events,
    close: async () => {
      closing.abort();
      await events.return();
      onEnd();
    },
  };
}

/**
 * Events of the feed. While it is idle, the head of the log is checked now and then: a feed that stays silent for two checks although events wait is
 * dead, whatever it reports.
 */
const nextEvents = async (
  feed: Feed,
  reader: Reader,
  { after, eventsMax, idleCheckMs, signal }: Waiting,
): Promise<RecordedEvent[]> => {
  let overdue = false;
  while (!signal.aborted) {
    const events = await feed.next(eventsMax, idleCheckMs, signal);
    if (events.length > 0 || signal.aborted) return events;
    if (overdue) throw new EventLogUnavailableError('The subscription is silent although the log has new events.');
    const head = await reader.headPosition();
    overdue = head !== null && (after === null || head > after);
  }
  return [];
};

type Waiting = { after: bigint | null; eventsMax: number; idleCheckMs: number; signal: AbortSignal };
