import { observePool } from '@agent-trust/metrics';
import pg from 'pg';
import { type Adapter, type AdapterOptions, eventLogOf } from '../adapter.ts';
import { eventLogLimits } from '../limits.ts';
import { ensureLogFormat } from '../log-format.ts';
import type { EventLog } from '../port.ts';
import { AppendQueue } from './append-queue.ts';
import { readPacked } from './packed-events.ts';
import { headPosition, readAll, readAt, readFormat, readsByIndex, readStream } from './read.ts';
import { ensurePostgresVersion } from './server-version.ts';
import { readFailure } from './sql-errors.ts';
import { PostgresFeed } from './subscription.ts';
import { WakeUps } from './wake-ups.ts';

/**
 * The event log in a Postgres database whose schema `migratePostgresEventLog` created. `url` names a user with the rights of
 * `grantEventLogAccess`. Connects at the first call. One connection for appends, up to `readConnectionsMax` for reads, one for each
 * subscription and one to wake them; their names in pg_stat_activity end with ` (append)`, ` (read)` or ` (subscription)`.
 */
export function openPostgresEventLog(url: string, options: AdapterOptions = {}): EventLog {
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
    options: readsByIndex,
    application_name: `${name} (read)`,
    statement_timeout: eventLogLimits.readDeadlineMs,
  });
  for (const pool of [writing, reading]) surviveBreaks(pool);
  const observed = [observePool('event_log.append', writing), observePool('event_log.read', reading)];
  const queue = new AppendQueue(writing);
  const subscribing = {
    ...common,
    application_name: `${name} (subscription)`,
    options: readsByIndex,
    statement_timeout: eventLogLimits.readDeadlineMs,
  };
  const wakeUps = new WakeUps(subscribing);

  const read = async <Result>(what: string, result: Promise<Result>): Promise<Result> => {
    try {
      return await result;
    } catch (error) {
      throw readFailure(what, error);
    }
  };
  const adapter = {
    system: 'postgresql',
    append: queue.append.bind(queue),
    readStream: (stream, readOptions) =>
      read(`Reading stream ${JSON.stringify(stream)}`, readStream(reading, stream, readOptions)),
    readAll: (after, countMax) => read('Reading the log', readAll(reading, after ?? 0n, countMax)),
    readPacked: (after, countMax) => read('Reading the log', readPacked(reading, after ?? 0n, countMax)),
    readAt: async (positions) =>
      positions.length === 0 ? [] : read('Reading events by position', readAt(reading, positions)),
    headPosition: () => read('Reading the head of the log', headPosition(reading)),
    checkFormat: async () => {
      await read('Reading the version of the server', ensurePostgresVersion(reading));
      ensureLogFormat(await read('Reading the format of the log', readFormat(reading)));
    },
    openFeed: () => new PostgresFeed(subscribing, wakeUps),
    close: async () => {
      await queue.close();
      for (const stopObserving of observed) stopObserving();
      await Promise.all([writing.end(), reading.end()]);
    },
  } satisfies Adapter;
  return eventLogOf(adapter, new AbortController(), options);
}

/**
 * A connection that breaks fails its query and also emits 'error', idle or not; without a listener that would end the process. The pool listens only
 * to idle connections.
 */
const surviveBreaks = (pool: pg.Pool): void => {
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
};
