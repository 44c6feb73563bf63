import { hash } from 'node:crypto';
import { createBoundedMap, postgresVersionFault } from '@agent-trust/limits';
import { observePool } from '@agent-trust/metrics';
import { propertyName, readModelTypes } from '@agent-trust/projections';
import type { Logger } from '@agent-trust/service-kit';
import pg from 'pg';
import { queryLimits } from './limits.ts';
import { inQuerySpan } from './query-span.ts';

/** The live schema of the registry's read models; a replay builds in `read_models_next`. */
export const readModelSchema = 'read_models';

/** A statement with its values, as the tag `sql` makes it. */
export type Statement = { text: string; values: unknown[] };

/** By column; more than all statements have. Deriving the names for each result cost four times as much as making one row. */
const propertyNames = createBoundedMap<string, string>({ countMax: 1_000 });
const propertyOf = (column: string): string => {
  const known = propertyNames.get(column);
  if (known !== undefined) return known;
  const property = propertyName(column);
  propertyNames.set(column, property);
  return property;
};

/** The rows of a statement that is prepared once per connection, under the hash of its text. Column `agent_id` is property `agentId`. */
export async function runQuery<Row extends object>(
  client: Pick<pg.ClientBase, 'query'>,
  { text, values }: Statement,
): Promise<Row[]> {
  const name = hash('sha256', text, 'base64url');
  const result = await client.query<unknown[]>({ name, text, values, types: readModelTypes, rowMode: 'array' });
  const properties = result.fields.map((field) => propertyOf(field.name));
  return result.rows.map((row) => Object.fromEntries(properties.map((property, at) => [property, row[at]])) as Row);
}

/** Read access to a live schema of read models. */
export type ReadModelDatabase = {
  /** As `runQuery`. The schema is the live one also after a replay has switched it. */
  query<Row extends object>(statement: Statement): Promise<Row[]>;
  close(): Promise<void>;
};

/** Opens a pool of read-only connections to a schema, the registry's read models by default. The first query connects. */
export function openReadModelDatabase(
  connectionString: string,
  logger: Pick<Logger, 'warn'> | null = null,
  { poolName, schema, connectionsMax } = {
    poolName: 'read_models',
    schema: readModelSchema as string,
    connectionsMax: queryLimits.databaseConnectionsMax as number,
  },
): ReadModelDatabase {
  const pool = openPool(connectionString, logger, {
    name: poolName,
    application_name: 'trust-projection queries',
    max: connectionsMax,
    // Statements are planned once for a connection: what was planned on an almost empty table would read all of it when it is large.
    options: `-c search_path=${schema} -c default_transaction_read_only=on -c jit=off -c enable_seqscan=off`,
  });
  return {
    query: (statement) => inQuerySpan(statement.text, () => runQuery(pool, statement)),
    close: () => pool.end(),
  };
}

/** Does work on a connection of its own. @throws database errors, and what the work throws */
export async function withConnection<Result>(
  { connectionTimeoutMillis = queryLimits.databaseConnectTimeoutMs, ...settings }: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...settings, connectionTimeoutMillis });
  // A broken connection fails the statement; its error event must not end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Connects once, for the start. @throws database errors; Error if the server is older than what the statements need */
export function checkDatabase(connectionString: string): Promise<void> {
  return withConnection({ connectionString }, async (client) => {
    const { rows } = await client.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::integer AS version",
    );
    const fault = postgresVersionFault(rows[0]?.version ?? 0);
    if (fault !== null) throw new Error(fault);
  });
}

/** Opens a pool with the time limits of queries. */
export function openPool(
  connectionString: string,
  logger: Pick<Logger, 'warn'> | null,
  { name, ...options }: Required<Pick<pg.PoolConfig, 'application_name' | 'max' | 'options'>> & { name: string },
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    connectionTimeoutMillis: queryLimits.databaseConnectTimeoutMs,
    statement_timeout: queryLimits.databaseStatementTimeoutMs,
    keepAlive: true,
    ...options,
  });
  // The pool replaces a connection that breaks while idle; without a listener the event would end the process.
  const stopObserving = observePool(name, pool);
  const end = pool.end.bind(pool);
  pool.end = () => {
    stopObserving();
    return end();
  };
  pool.on('error', (err) => logger?.warn({ err }, 'database connection lost'));
  // One that is in use: the next statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
