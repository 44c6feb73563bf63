import { readModelTypes } from '@agent-trust/projections';
import pg from 'pg';
import { type ReadModelDatabase, runQuery } from '../../shared/database.ts';
import { webhookLimits } from '../limits.ts';

/** Beside the read models, in the same database, so that a change is handed over and marked as handed over in one transaction. */
export const outboxSchema = 'webhook_outbox';

const lockName = 'webhook dispatcher';

/** What the outbox is read and written with: `query` as `runQuery`, on the session's connection. */
export type OutboxDatabase = { client: pg.Client; query: ReadModelDatabase['query'] };

/** The one connection by which the outbox is written. Whoever holds it is the dispatcher; when it breaks, nothing more can be written. */
export type OutboxSession = {
  /** Statements run one after the other in the order of the calls, and no other statement comes between those of one `work`. */
  run<Result>(work: (database: OutboxDatabase) => Promise<Result>): Promise<Result>;
  /** Aborted when the connection is lost. */
  readonly lost: AbortSignal;
  close(): Promise<void>;
};

/**
 * Opens the connection and takes the lock of the one dispatcher; null if another instance has it. The lock belongs to the connection: a
 * killed dispatcher frees it at once, and one that lost its connection can write nothing more.
 */
export async function openOutboxSession(connectionString: string): Promise<OutboxSession | null> {
  const client = new pg.Client({
    connectionString,
    application_name: 'trust-projection webhooks',
    connectionTimeoutMillis: webhookLimits.connectTimeoutMs,
    statement_timeout: webhookLimits.statementTimeoutMs,
    query_timeout: webhookLimits.statementTimeoutMs,
    keepAlive: true,
    types: readModelTypes,
  });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  await client.connect();
  try {
    // A crash of the database may lose the last marks of delivery, and the messages are sent again: that is what at least once means.
    await client.query(`SET search_path TO ${outboxSchema}; SET synchronous_commit TO off; SET jit TO off`);
    const { rows } = await client.query<{ held: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held',
      [lockName],
    );
    if (rows[0]?.held !== true) {
      await client.end();
      return null;
    }
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  const database: OutboxDatabase = { client, query: (statement) => runQuery(client, statement) };
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (work) => {
      const result = last.then(() => work(database));
      last = result.catch(() => undefined);
      return result;
    },
    lost: lost.signal,
    close: () => client.end().catch(() => undefined),
  };
}
