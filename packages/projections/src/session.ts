import type { Writable } from 'node:stream';
import pg, { type ClientBase, type QueryConfig } from 'pg';
import { quoteIdentifier } from './table.ts';

export type ConnectionSettings = Pick<pg.ClientConfig, 'connectionString' | 'application_name'>;

const connectTimeoutMs = 5_000;
/** Default: a batch of events takes far less. */
const statementTimeoutMs = 120_000;

/**
 * Opens a connection for a writer of read models.
 *
 * A writer accesses rows only by key, but the statistics of a new table say otherwise, so plans that read whole tables are switched off and
 * statements are planned once. Commits are not flushed to disk: a crash of the database loses the last batches with their checkpoint, and
 * they are applied again.
 */
export async function openWriterSession(
  settings: ConnectionSettings,
  schema: string,
  onLost: (error: Error) => void = () => undefined,
  options: { pipeline?: boolean; statementTimeoutMs?: number } = {},
): Promise<pg.Client> {
  const client = new pg.Client({
    ...settings,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: options.statementTimeoutMs ?? statementTimeoutMs,
    keepAlive: true,
    // Statements that do not depend on each other's answers go out together: see `transact`.
    pipeline: options.pipeline ?? true,
  });
  // An 'error' event without a listener would end the process; the pending query rejects as well.
  client.on('error', onLost);
  await client.connect();
  try {
    await client.query(
      `SET search_path TO ${quoteIdentifier(schema)}; SET synchronous_commit TO off; SET plan_cache_mode TO force_generic_plan;
       SET enable_seqscan TO off; SET enable_hashjoin TO off; SET enable_mergejoin TO off; SET jit TO off`,
    );
  } catch (error) {
    await closeQuietly(client);
    throw error;
  }
  return client;
}

/** Ends a connection whose state no longer matters. */
export async function closeQuietly(client: pg.Client): Promise<void> {
  try {
    await client.end();
  } catch {
    // It was lost already.
  }
}

/** Breaks a connection off: what waits for an answer on it is rejected, and it ends. */
export function endSession(client: pg.Client, reason: Error): void {
  (client as unknown as { connection: { stream: Writable } }).connection.stream.destroy(reason);
}

/**
 * Runs statements as one transaction in one round trip, which is most of the cost of a small batch. If one fails, none has an effect.
 *
 * @throws the error of the first that failed, when all are answered
 */
export async function transact(client: ClientBase, statements: readonly QueryConfig[]): Promise<void> {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  // Written as one piece.
  stream.cork();
  // The COMMIT of a failed transaction rolls it back.
  const all: readonly (string | QueryConfig)[] = ['BEGIN', ...statements, 'COMMIT'];
  const answers = all.map((statement) => client.query(statement as QueryConfig));
  stream.uncork();
  for (const answer of await Promise.allSettled(answers)) {
    if (answer.status === 'rejected') throw answer.reason;
  }
}

/**
 * Does pieces of work whose queries need nothing of each other: in one round trip if the connection is pipelined, else one after the other.
 *
 * @throws the error of the first that fails; on a pipelined connection the others still end
 */
export async function together(client: ClientBase, work: readonly (() => Promise<void>)[]): Promise<void> {
  if ((client as ClientBase & { pipeline?: boolean }).pipeline === true) {
    await Promise.all(work.map((piece) => piece()));
    return;
  }
  for (const piece of work) await piece();
}

/** Runs the work in a transaction; rolls back and rethrows when it fails. */
export async function inTransaction<Result>(
  client: pg.ClientBase,
  work: () => Promise<Result>,
  begin = 'BEGIN',
): Promise<Result> {
  await client.query(begin);
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    try {
      await client.query('ROLLBACK');
    } catch {
      // The connection is lost and the transaction with it; the first error is the reason.
    }
    throw error;
  }
}

/**
 * Tries to take an advisory lock on a schema, for the only runner or the only replay; it is held until the connection ends. Needs a direct
 * connection: a pooler that shares sessions would share the lock.
 */
export async function tryAdvisoryLock(client: ClientBase, purpose: 'run' | 'replay', schema: string): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held',
    [`projection:${purpose}:${schema}`],
  );
  return rows[0]?.held === true;
}
