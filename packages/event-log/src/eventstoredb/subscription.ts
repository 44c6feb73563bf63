import type { Feed } from '../adapter.ts';
import { type EventLogError, EventLogUnavailableError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { RecordedEvent } from '../port.ts';
import type { Connection } from './connection.ts';
import { readFailure } from './failures.ts';
import type { Reader } from './read.ts';
import { SubscriptionCall } from './subscription-call.ts';

export type FeedTimeouts = {
  /** Until the server has confirmed a subscription. */
  confirmationDeadlineMs: number;
  /** Silence of a subscription after which the head of the log is checked. */
  idleCheckMs: number;
};

/** Follows the log over successive calls. */
export class EventStoreDbFeed implements Feed {
  readonly #connection: Connection;
  readonly #reader: Reader;
  readonly #timeouts: FeedTimeouts;
  #call: SubscriptionCall | null = null;

  constructor(connection: Connection, reader: Reader, timeouts: FeedTimeouts) {
    this.#connection = connection;
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
    const call = this.#call ?? (await this.#opened(after, confirmationDeadlineMs));
    for (let overdue = false; !signal.aborted; ) {
      const events = await call.next({ eventsMax, idleMs: idleCheckMs, signal, gather });
      if (events.length > 0) return events;
      if (overdue) throw new EventLogUnavailableError('The subscription is silent although the log has new events.');
      if (signal.aborted) break;
      const head = await this.#reader.headPosition();
      overdue = head !== null && (after === null || head > after);
    }
    return [];
  }

  failure(cause: unknown): EventLogError | null {
    if (this.#call !== null) this.#connection.failed(this.#call.node, cause);
    return readFailure('A subscription to the log', cause);
  }

  async drop(): Promise<void> {
    const call = this.#call;
    this.#call = null;
    call?.close();
  }

  async #opened(after: bigint | null, confirmationDeadlineMs: number): Promise<SubscriptionCall> {
    const node = await this.#connection.node(eventLogLimits.connectDeadlineMs);
    this.#call = new SubscriptionCall(node, after, confirmationDeadlineMs);
    return this.#call;
  }
}
