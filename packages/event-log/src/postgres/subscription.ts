import pg from 'pg';
import type { Feed } from '../adapter.ts';
import { type EventLogError, EventLogUnavailableError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { RecordedEvent } from '../port.ts';
import { type Page, readAllPage } from './read.ts';
import { failureKind, readFailure } from './sql-errors.ts';
import { destroy, type WakeUps } from './wake-ups.ts';

/**
 * Follows the log by position on its own connection. A wake-up only ends the wait early: events are always read by position, so a lost or duplicated
 * wake-up changes nothing, and a poll finds events without a wake-up.
 */
export class PostgresFeed implements Feed {
  readonly #config: pg.ClientConfig;
  readonly #wakeUps: WakeUps;
  #unsubscribe: () => void = () => undefined;
  #client: Promise<pg.Client> | null = null;
  #wake: () => void = () => undefined;
  #woken = false;
  /** The last page was the end of the log. */
  #atEnd = false;
  /** The next page, read while the consumer handles this one. */
  #ahead: Promise<Page> | null = null;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(config: pg.ClientConfig, wakeUps: WakeUps) {
    this.#config = config;
    this.#wakeUps = wakeUps;
  }

  async next(
    after: bigint | null,
    eventsMax: number,
    signal: AbortSignal,
    gather: () => Promise<void>,
  ): Promise<RecordedEvent[]> {
    const isPoll = this.#atEnd && !(await this.#waitForWakeUp(signal));
    if (this.#atEnd && !isPoll) await gather();
    if (signal.aborted) return [];
    const reading = this.#ahead ?? this.#readPage(after ?? 0n, eventsMax);
    this.#ahead = null;
    const page = await reading;
    const last = page.events.at(-1);
    if (isPoll && last !== undefined && !this.#woken) this.#wakeUps.renew();
    this.#atEnd = page.isWhole && page.events.length < eventsMax;
    if (!this.#atEnd && last !== undefined && !signal.aborted) this.#ahead = this.#readPage(last.position, eventsMax);
    return page.events;
  }

  failure(cause: unknown): EventLogError {
    // A subscription is opened again after everything but a wrong setup.
    const what = 'A subscription to the log';
    return failureKind(cause) === 'data'
      ? new EventLogUnavailableError(`${what} failed.`, { cause })
      : readFailure(what, cause);
  }

  async drop(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    this.#ahead = null;
    this.#atEnd = false;
    this.#unsubscribe();
    const connected = await client?.catch(() => null);
    if (connected) destroy(connected);
    await this.#reading;
  }

  #readPage(after: bigint, eventsMax: number): Promise<Page> {
    this.#client ??= this.#connect();
    const page = Promise.all([this.#client, this.#wakeUps.listening()]).then(([client]) => {
      // A commit that is not on the page is heard of.
      this.#woken = false;
      return readAllPage(client, after, eventsMax);
    });
    // `next` reports its failure; a page read ahead may fail before that.
    this.#reading = page.catch(() => undefined);
    return page;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config);
    const wake = (): void => {
      this.#woken = true;
      this.#wake();
    };
    this.#unsubscribe();
    this.#unsubscribe = this.#wakeUps.subscribe(wake);
    // The next read finds a broken connection, and must come at once, not at the next poll.
    client.on('error', wake);
    client.on('end', wake);
    try {
      await client.connect();
      return client;
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
  }

  /** Waits for a wake-up, or until the next poll is due; returns whether it was woken. */
  async #waitForWakeUp(signal: AbortSignal): Promise<boolean> {
    if (this.#woken || signal.aborted) return this.#woken;
    // Not `timers/promises`: an aborted timer creates an error with its stack at every wake-up.
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, eventLogLimits.subscriptionPollMs);
    const onAbort = (): void => resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    return this.#woken;
  }
}
