import type { Writable } from 'node:stream';
import pg, { type ClientBase, type QueryConfig } from 'pg';
import { quoteIdentifier } from './table.ts';

export type ConnectionSettings = Pick<pg.ClientConfig, 'connectionString' | 'application_name'>;

const connectTimeoutMs = 5_000;
const statementTimeoutMs = 120_000;

/**
 * Opens a connection of its own for a writer of read models.
 *
 * Every access of a writer is by key, whatever the statistics say of a table that was empty a minute ago, so the plans that
 * would read whole tables are switched off and statements are planned once. Commits are not flushed to disk: a crash of the
 * database then loses the last batches together with their checkpoint, and they are applied again.
 */
export async function openWriterSession(
  settings: ConnectionSettings,
  schema: string,
  onLost: (error: Error) => void = () => undefined,
  options: { pipeline?: boolean } = {},
): Promise<pg.Client> {
  const client = new pg.Client({
    ...settings,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    keepAlive: true,
    // Statements that do not depend on each other's answers go out together: see `sendTogether`.
    pipeline: options.pipeline ?? true,
  });
  // An unheard 'error' event would end the process; what is being awaited rejects as well.
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
    // It was lost already, which is what was wanted.
  }
}

/**
 * Sends statements without waiting for one's answer before the next goes out: one trip instead of many, which is most of what a small batch
 * costs. In a transaction a statement that fails makes the later ones fail too.
 *
 * @throws the error of the first that failed, when all are answered
 */
export async function sendTogether(client: ClientBase, statements: readonly (string | QueryConfig)[]): Promise<void> {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  // Written as one piece.
  stream.cork();
  const answers = statements.map((statement) => client.query(statement as QueryConfig));
  stream.uncork();
  for (const answer of await Promise.allSettled(answers)) {
    if (answer.status === 'rejected') throw answer.reason;
  }
}

/** Runs statements as one transaction in one trip; when one fails, none has an effect, and its error is thrown. */
export function transact(client: ClientBase, statements: readonly QueryConfig[]): Promise<void> {
  // The COMMIT of a failed transaction rolls it back.
  return sendTogether(client, ['BEGIN', ...statements, 'COMMIT']);
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
      // The connection is gone and the transaction with it; the first error says why.
    }
    throw error;
  }
}
