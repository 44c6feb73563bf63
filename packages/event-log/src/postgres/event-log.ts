import pg from 'pg';
import { encodeAppend } from '../encode-append.ts';
import { EventLogClosedError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import { ensureLogFormat } from '../log-format.ts';
import type { EventLog, Subscription } from '../port.ts';
import { checkPositions } from '../read-at.ts';
import { retryRead } from '../retry-read.ts';
import { appendSpan } from '../telemetry.ts';
import { AppendQueue } from './append-queue.ts';
import { headPosition, readAll, readAt, readFormat, readStream } from './read.ts';
import { readFailure } from './sql-errors.ts';
import { subscribeToPostgres } from './subscription.ts';

export type PostgresEventLogOptions = {
  /** Shown in pg_stat_activity, with the suffix ` (append)`, ` (read)` or ` (subscription)`. */
  applicationName?: string;
  appendDeadlineMs?: number;
};

/**
 * The event log in a Postgres database whose schema `migratePostgresEventLog` created. `url` names a user with the rights of `grantEventLogAccess`.
 * Connects at the first call. One connection for appends, up to `readConnectionsMax` for reads, one for each subscription.
 */
export function openPostgresEventLog(url: string, options: PostgresEventLogOptions = {}): EventLog {
  const name = options.applicationName ?? 'event-log';
  const common = { connectionString: url, connectionTimeoutMillis: eventLogLimits.connectDeadlineMs, keepAlive: true };
  const writing = new pg.Pool({
    ...common,
    max: 1,
    idleTimeoutMillis: 0,
    application_name: `${name} (append)`,
    lock_timeout: eventLogLimits.appendLockTimeoutMs,
    statement_timeout: eventLogLimits.appendStatementTimeoutMs,
  });
  const reading = new pg.Pool({
    ...common,
    max: eventLogLimits.readConnectionsMax,
    application_name: `${name} (read)`,
    statement_timeout: eventLogLimits.readDeadlineMs,
  });
  for (const pool of [writing, reading]) surviveBreaks(pool);
  const queue = new AppendQueue(writing);
  const subscriptions = new Set<Subscription>();
  const stopped = new AbortController();
  let closing: Promise<void> | null = null;

  const read = async <Result>(what: string, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> => {
    if (closing !== null) throw new EventLogClosedError('The event log is closed.');
    return retryRead(async () => {
      try {
        return await work(reading);
      } catch (error) {
        throw readFailure(what, error);
      }
    }, stopped.signal);
  };

  return {
    append: (stream, events, { expectedRevision, deadlineMs }) =>
      appendSpan('postgresql', stream, events, async () =>
        queue.append(
          encodeAppend(stream, events),
          expectedRevision,
          deadlineMs ?? options.appendDeadlineMs ?? eventLogLimits.appendDeadlineMs,
        ),
      ),
    readStream: (stream, readOptions = {}) =>
      read(`Reading stream ${JSON.stringify(stream)}`, (pool) => readStream(pool, stream, readOptions)),
    readAll: ({ after, countMax }) => read('Reading the log', (pool) => readAll(pool, after ?? 0n, countMax)),
    readAt: async (positions) => {
      checkPositions(positions);
      return positions.length === 0 ? [] : read('Reading events by position', (pool) => readAt(pool, positions));
    },
    headPosition: () => read('Reading the head of the log', headPosition),
    checkFormat: async () => ensureLogFormat(await read('Reading the format of the log', readFormat)),
    subscribeToAll: (subscribeOptions) => {
      if (closing !== null) throw new EventLogClosedError('The event log is closed.');
      const config = {
        ...common,
        application_name: `${name} (subscription)`,
        statement_timeout: eventLogLimits.readDeadlineMs,
      };
      const subscription = subscribeToPostgres(config, subscribeOptions, () => subscriptions.delete(subscription));
      subscriptions.add(subscription);
      return subscription;
    },
    close: () => {
      stopped.abort();
      closing ??= (async () => {
        await Promise.all([...subscriptions].map((subscription) => subscription.close()));
        await queue.close();
        await Promise.all([writing.end(), reading.end()]);
      })();
      return closing;
    },
  };
}

/**
 * A connection that breaks fails its query and also emits 'error', idle or not; without a listener that would end the process. The pool listens only
 * to idle connections.
 */
const surviveBreaks = (pool: pg.Pool): void => {
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
};
