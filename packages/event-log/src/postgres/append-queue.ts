import type pg from 'pg';
import { backoffMs, pause } from '@agent-trust/limits';
import { histogram, observe } from '@agent-trust/metrics';
import type { EncodedAppend } from '../encode-append.ts';
import { EventLogClosedError, EventLogUnavailableError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { AppendResult, ExpectedRevision } from '../port.ts';
import {
  type AppendOutcome,
  type AppendRequest,
  callAppend,
  settleAnswer,
  settleFailure,
  settleLate,
} from './append-request.ts';
import { failureKind } from './sql-errors.ts';

const batchSizes = histogram('registry.append.batch.size');

/**
 * Combines concurrent appends into few round trips. One batch is under way at a time (the log has one append lock anyway); appends that arrive
 * meanwhile form the next batch. Each request has its own outcome. If the connection breaks, the batch is sent again, which the event ids make
 * harmless, until each request's own deadline.
 *
 * A batch has at most one request for each stream, the oldest, and each event id once: `event_log.append` takes no others.
 */
export class AppendQueue {
  readonly #pool: pg.Pool;
  /** By stream, in the order of the appends; a stream that had its turn goes to the end. */
  readonly #waiting = new Map<string, AppendRequest[]>();
  readonly #stopped = new AbortController();
  #waitingCount = 0;
  #waitingBytes = 0;
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    const stopObserving = observe((report) => report('registry.append.queue.length', this.#waitingCount));
    this.#stopped.signal.addEventListener('abort', stopObserving, { once: true });
  }

  append(encoded: EncodedAppend, expected: ExpectedRevision, deadlineMs: number): Promise<AppendResult> {
    if (this.#closed) return Promise.reject(new EventLogClosedError('The event log is closed.'));
    if (
      this.#waitingCount >= eventLogLimits.queuedAppendsMax ||
      this.#waitingBytes + encoded.bytes > eventLogLimits.queuedBytesMax
    ) {
      return Promise.reject(
        new EventLogUnavailableError(
          `${this.#waitingCount} appends (${this.#waitingBytes} bytes) are waiting already; this one was refused.`,
        ),
      );
    }
    return new Promise((resolve, reject) => {
      const request: AppendRequest = {
        ...encoded,
        expected,
        outcomeUnknown: false,
        settled: false,
        lastFailure: undefined,
        timer: setTimeout(() => settleLate(request, deadlineMs), deadlineMs),
        resolve,
        reject,
      };
      const sameStream = this.#waiting.get(request.stream);
      if (sameStream === undefined) this.#waiting.set(request.stream, [request]);
      else sameStream.push(request);
      this.#count(request, 1);
      this.#running ??= this.#run();
    });
  }

  /** Refuses new appends; resolves when all accepted ones have an outcome. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    this.#stopped.abort();
  }

  async #run(): Promise<void> {
    // Appends made in the same turn of the event loop share the first batch.
    await Promise.resolve();
    for (let failures = 0; this.#waiting.size > 0; ) {
      const batch = this.#takeBatch();
      if (batch.length === 0) continue;
      if (await this.#send(batch)) {
        failures = 0;
        continue;
      }
      this.#putBack(batch);
      await pause(backoffMs(failures++, eventLogLimits.reconnectBackoff), this.#stopped.signal);
    }
    this.#running = null;
  }

  #takeBatch(): AppendRequest[] {
    const batch: AppendRequest[] = [];
    const eventIds = new Set<string>();
    const moved: [string, AppendRequest[]][] = [];
    let bytes = 0;
    for (const [stream, requests] of this.#waiting) {
      while (requests[0]?.settled === true) this.#count(requests.shift() as AppendRequest, -1);
      const [request] = requests;
      if (request === undefined) {
        this.#waiting.delete(stream);
        continue;
      }
      if (batch.length >= eventLogLimits.batchAppendsMax) break;
      if (batch.length > 0 && bytes + request.bytes > eventLogLimits.batchBytesMax) break;
      if (request.events.some(({ eventId }) => eventIds.has(eventId))) continue;
      for (const { eventId } of request.events) eventIds.add(eventId);
      batch.push(request);
      bytes += request.bytes;
      this.#count(request, -1);
      requests.shift();
      this.#waiting.delete(stream);
      if (requests.length > 0) moved.push([stream, requests]);
    }
    for (const [stream, requests] of moved) this.#waiting.set(stream, requests);
    return batch;
  }

  #putBack(batch: AppendRequest[]): void {
    for (const request of batch) {
      if (request.settled) continue;
      const sameStream = this.#waiting.get(request.stream);
      if (sameStream === undefined) this.#waiting.set(request.stream, [request]);
      else sameStream.unshift(request);
      this.#count(request, 1);
    }
  }

  #count({ bytes }: AppendRequest, change: 1 | -1): void {
    this.#waitingCount += change;
    this.#waitingBytes += change * bytes;
  }

  /** Sends a batch and settles the requests with an outcome; false if the rest must be retried. */
  async #send(batch: AppendRequest[]): Promise<boolean> {
    let client: pg.PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (error) {
      return settleFailure(batch, error, 'not sent');
    }
    batchSizes.with({}).record(batch.length);
    const sentBefore = batch.map((request) => request.outcomeUnknown);
    for (const request of batch) request.outcomeUnknown = true;
    let outcomes: AppendOutcome[];
    try {
      outcomes = await callAppend(client, batch);
    } catch (error) {
      const kind = failureKind(error);
      client.release(kind === 'connection');
      // The server refused and rolled back, so this attempt wrote nothing.
      if (kind !== 'connection') batch.forEach((request, i) => (request.outcomeUnknown = sentBefore[i] ?? false));
      if (kind === 'data' && batch.length > 1) return this.#sendOneByOne(batch);
      return settleFailure(batch, error, 'sent');
    }
    client.release();
    batch.forEach((request, i) => settleAnswer(request, outcomes[i]));
    return true;
  }

  /** Finds the request whose values the server cannot take, so that it fails alone. */
  async #sendOneByOne(batch: AppendRequest[]): Promise<boolean> {
    let all = true;
    for (const request of batch) all = (request.settled || (await this.#send([request]))) && all;
    return all;
  }
}
