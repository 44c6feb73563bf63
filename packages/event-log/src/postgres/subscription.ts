import pg from 'pg';
import { backoffMs, pause } from '@agent-trust/limits';
import { eventLogLimits } from '../limits.ts';
import type { RecordedEvent, SubscribeOptions, Subscription } from '../port.ts';
import { type Page, readAllPage, readsByPosition } from './read.ts';
import { failureKind, readFailure } from './sql-errors.ts';

/**
 * Follows the log by position on its own connection. A NOTIFY only ends the wait early: events are always read by position, so a lost or duplicated
 * wake-up changes nothing, and a poll finds events without a wake-up.
 */
export function subscribeToPostgres(
  config: pg.ClientConfig,
  options: SubscribeOptions,
  onEnd: () => void,
): Subscription {
  const batchEvents = Math.min(
    Math.max(1, options.batchEventsMax ?? eventLogLimits.subscriptionBatchEvents),
    eventLogLimits.subscriptionBatchEventsMax,
  );
  const closing = new AbortController();
  const connection = new ListeningConnection(config);
  let reading: Promise<unknown> = Promise.resolve();
  const readPage = (after: bigint): Promise<Page> => {
    // A commit after the page was read wakes the connection again.
    connection.woken = false;
    const page = connection.use((client) => readAllPage(client, after, batchEvents, 'event_log_page'));
    // Its failure is handled where the page is taken; a page read ahead may fail before anybody waits for it.
    reading = page.catch(() => undefined);
    return page;
  };

  const deliver = async function* (): AsyncGenerator<RecordedEvent[], void, undefined> {
    let after = options.after ?? 0n;
    let ahead: Promise<Page> | null = null;
    let failures = 0;
    try {
      while (!closing.signal.aborted) {
        let page: Page;
        try {
          page = await (ahead ?? readPage(after));
          failures = 0;
        } catch (error) {
          if (closing.signal.aborted) return;
          if (failureKind(error) === 'setup') throw readFailure('A subscription to the log', error);
          await connection.drop();
          await pause(backoffMs(failures++, eventLogLimits.reconnectBackoff), closing.signal);
          continue;
        } finally {
          ahead = null;
        }
        after = page.events.at(-1)?.position ?? after;
        const isEnd = page.isWhole && page.events.length < batchEvents;
        // More events exist: fetched while the consumer handles this page.
        if (!isEnd) ahead = readPage(after);
        if (closing.signal.aborted) return;
        if (page.events.length > 0) yield page.events;
        // Events since the page was read have woken the connection.
        if (isEnd) await connection.waitForWakeUp(eventLogLimits.subscriptionPollMs, closing.signal);
      }
    } finally {
      closing.abort();
      await connection.drop();
      await reading;
      onEnd();
    }
  };

  const events = deliver();
  return {
    [Symbol.asyncIterator]: () => events,
    close: async () => {
      closing.abort();
      await connection.drop();
      await reading;
      // Ends a generator that waits for its consumer; one inside `next` ends by the signal, and this resolves after it.
      await events.return();
      onEnd();
    },
  };
}

/** A connection that listens for wake-ups, created on demand and again after it was dropped. */
class ListeningConnection {
  woken = false;
  readonly #config: pg.ClientConfig;
  #client: Promise<pg.Client> | null = null;
  #wake: () => void = () => undefined;

  constructor(config: pg.ClientConfig) {
    this.#config = config;
  }

  async use<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    this.#client ??= this.#connect();
    return work(await this.#client);
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config);
    const wake = (): void => {
      this.woken = true;
      this.#wake();
    };
    client.on('notification', wake);
    // The next read finds a broken connection, and must come at once, not at the next poll.
    client.on('error', wake);
    client.on('end', wake);
    try {
      await client.connect();
      await client.query(`listen event_log; ${readsByPosition}`);
      return client;
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
  }

  async waitForWakeUp(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.woken || signal.aborted) return;
    // Not `timers/promises`: an aborted timer creates an error with its stack at every wake-up.
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, timeoutMs);
    const onAbort = (): void => resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }

  async drop(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    const connected = await client?.catch(() => null);
    // `end` waits for the socket to close, which a dead peer never does.
    (connected as unknown as { connection?: { stream: { destroy(): void } } } | null)?.connection?.stream.destroy();
  }
}
