import type { EventStoreDBClient } from '@eventstore/db-client';
import type { Feed } from '../adapter.ts';
import { type EventLogError, EventLogUnavailableError } from '../errors.ts';
import type { RecordedEvent } from '../port.ts';
import { ClientSubscription } from './client-subscription.ts';
import { readFailure } from './failures.ts';
import type { Reader } from './read.ts';

export type FeedTimeouts = {
  /** Until the server has confirmed a subscription. */
  confirmationDeadlineMs: number;
  /** Silence of a subscription after which the head of the log is checked. */
  idleCheckMs: number;
};

/** Follows the log over successive subscriptions of the client. */
export class EventStoreDbFeed implements Feed {
  readonly #client: EventStoreDBClient;
  readonly #reader: Reader;
  readonly #timeouts: FeedTimeouts;
  #subscription: ClientSubscription | null = null;

  constructor(client: EventStoreDBClient, reader: Reader, timeouts: FeedTimeouts) {
    this.#client = client;
    this.#reader = reader;
    this.#timeouts = timeouts;
  }

  /**
   * While the subscription is idle, the head of the log is checked now and then: a subscription that stays silent for two checks although events
   * wait is dead, whatever it reports.
   */
  async next(
    after: bigint | null,
    eventsMax: number,
    signal: AbortSignal,
    gather: () => Promise<void>,
  ): Promise<RecordedEvent[]> {
    const { confirmationDeadlineMs, idleCheckMs } = this.#timeouts;
    this.#subscription ??= new ClientSubscription(this.#client, after, confirmationDeadlineMs);
    const subscription = this.#subscription;
    for (let overdue = false; !signal.aborted; ) {
      const events = await subscription.next({ eventsMax, idleMs: idleCheckMs, signal, gather });
      if (events.length > 0) return events;
      if (overdue) throw new EventLogUnavailableError('The subscription is silent although the log has new events.');
      if (signal.aborted) break;
      const head = await this.#reader.headPosition();
      overdue = head !== null && (after === null || head > after);
    }
    return [];
  }

  failure(cause: unknown): EventLogError | null {
    return readFailure('A subscription to the log', '$all', cause);
  }

  async drop(): Promise<void> {
    const subscription = this.#subscription;
    this.#subscription = null;
    await subscription?.close();
  }
}
