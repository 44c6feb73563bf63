import { type EventStoreDBClient, excludeSystemEvents, START } from '@eventstore/db-client';
import { EventLogUnavailableError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { RecordedEvent } from '../port.ts';
import { toRecordedEvent } from './read.ts';

/**
 * One catch-up subscription of the client, until it breaks.
 *
 * `checkpointReached` is not used: a rejection in it stops the subscription silently. `caughtUp` is not relied on either: servers before 23.10 never
 * send it. A subscription that the server ends without an error emits 'end': that counts as a break, too.
 */
export class ClientSubscription {
  readonly #stream: ReturnType<EventStoreDBClient['subscribeToAll']>;
  readonly #after: bigint | null;
  readonly #confirmationTimer: NodeJS.Timeout;
  #failure: unknown;
  #wake: () => void = () => undefined;

  constructor(client: EventStoreDBClient, after: bigint | null, confirmationDeadlineMs: number) {
    this.#after = after;
    this.#stream = client.subscribeToAll(
      { fromPosition: after === null ? START : { commit: after, prepare: after }, filter: excludeSystemEvents() },
      { highWaterMark: eventLogLimits.feedReadAheadEvents },
    );
    const fail = (error: unknown): void => {
      this.#failure ??= error;
      this.#wake();
    };
    this.#stream.on('error', fail);
    this.#stream.on('end', () => fail(new EventLogUnavailableError('The server ended the subscription.')));
    this.#stream.on('close', () => fail(new EventLogUnavailableError('The subscription was closed.')));
    this.#stream.on('readable', () => this.#wake());
    // Otherwise a server that accepts the call and never answers would be waited for for ever.
    this.#confirmationTimer = setTimeout(
      () =>
        fail(
          new EventLogUnavailableError(
            `The server did not confirm the subscription within ${confirmationDeadlineMs} ms.`,
          ),
        ),
      confirmationDeadlineMs,
    );
    this.#stream.once('confirmation', () => clearTimeout(this.#confirmationTimer));
  }

  /** The next events, at least one; empty if nothing came within `idleMs` or `signal` was aborted. Rejects if the subscription broke. */
  async next(wanted: {
    eventsMax: number;
    idleMs: number;
    signal: AbortSignal;
    /** Called when there are events; they are taken when it resolves. */
    gather: () => Promise<void>;
  }): Promise<RecordedEvent[]> {
    const { eventsMax, idleMs, signal, gather } = wanted;
    const idleUntil = Date.now() + idleMs;
    while (!signal.aborted) {
      if (this.#stream.readableLength > 0) await gather();
      const events = await this.#available(eventsMax);
      if (events.length > 0) return events;
      if (this.#failure !== undefined) throw this.#failure;
      const waitMs = idleUntil - Date.now();
      if (waitMs <= 0) return [];
      await this.#changed(waitMs, signal);
    }
    return [];
  }

  /** The events available now; a few turns of the event loop let a busy connection fill the batch. */
  async #available(eventsMax: number): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (let emptyTurns = 0; events.length < eventsMax && emptyTurns < 2; ) {
      const resolved = this.#stream.read() as { event?: Parameters<typeof toRecordedEvent>[0] } | null;
      if (resolved === null) {
        if (events.length === 0) break;
        emptyTurns += 1;
        await new Promise(setImmediate);
        continue;
      }
      emptyTurns = 0;
      const event = toRecordedEvent(resolved.event);
      if (event !== undefined && (this.#after === null || event.position > this.#after)) events.push(event);
    }
    return events;
  }

  #changed(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#wake = () => undefined;
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      signal.addEventListener('abort', done, { once: true });
      this.#wake = done;
      if (signal.aborted || this.#failure !== undefined || this.#stream.readableLength > 0) done();
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#confirmationTimer);
    // Rejects if the subscription ended before its call started.
    await this.#stream.unsubscribe().catch(() => undefined);
    this.#stream.destroy();
  }
}
