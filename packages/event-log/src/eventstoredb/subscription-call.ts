import { EventLogUnavailableError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { RecordedEvent } from '../port.ts';
import type { Node } from './node.ts';
import { subscriptionRequest } from './read-request.ts';
import { toRecordedEvent } from './recorded-event.ts';
import type { ReadResponse, StoredEvent } from './wire/event-message.ts';

/**
 * One catch-up subscription, until it breaks. `caughtUp` is not relied on: servers before 23.10 never send it. The end of the call counts as a
 * break, too.
 */
export class SubscriptionCall {
  readonly node: Node;
  readonly #call: ReturnType<Node['read']>;
  readonly #after: bigint | null;
  readonly #confirmationTimer: NodeJS.Timeout;
  #events: StoredEvent[] = [];
  #failure: unknown;
  #wake: () => void = () => undefined;

  constructor(node: Node, after: bigint | null, confirmationDeadlineMs: number) {
    this.node = node;
    this.#after = after;
    this.#call = node.read(subscriptionRequest(after ?? 'start'), Infinity);
    const fail = (error: unknown): void => {
      this.#failure ??= error;
      this.#wake();
    };
    this.#call.on('data', (response: ReadResponse) => this.#received(response));
    this.#call.on('error', fail);
    this.#call.on('end', () => fail(new EventLogUnavailableError('The server ended the subscription.')));
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
      if (this.#events.length > 0) await gather();
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
    const taken: RecordedEvent[] = [];
    for (let emptyTurns = 0; taken.length < eventsMax && emptyTurns < 2; ) {
      if (this.#events.length === 0) {
        if (taken.length === 0) break;
        emptyTurns += 1;
        await new Promise(setImmediate);
        continue;
      }
      emptyTurns = 0;
      const some = this.#events.splice(0, eventsMax - taken.length);
      for (const stored of some) {
        const event = toRecordedEvent(stored);
        if (event !== undefined && (this.#after === null || event.position > this.#after)) taken.push(event);
      }
      if (this.#events.length < eventLogLimits.feedReadAheadEvents) this.#call.resume();
    }
    return taken;
  }

  #received({ event, isConfirmation }: ReadResponse): void {
    if (isConfirmation) clearTimeout(this.#confirmationTimer);
    if (event === null) return;
    this.#events.push(event);
    if (this.#events.length >= eventLogLimits.feedReadAheadEvents) this.#call.pause();
    this.#wake();
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
      if (signal.aborted || this.#failure !== undefined || this.#events.length > 0) done();
    });
  }

  close(): void {
    clearTimeout(this.#confirmationTimer);
    this.#call.cancel();
  }
}
