import { readModelTypes } from '@agent-trust/projections';
import type { Logger } from '@agent-trust/service-kit';
import pg from 'pg';
import { queryLimits } from './limits.ts';

/** The live schema of the registry's read models; a replay builds in `read_models_next`. */
export const readModelSchema = 'read_models';

export type NamedQuery = { name: string; text: string; values: unknown[] };

/** Read access to a live schema of read models. */
export type ReadModelDatabase = {
  /** Rows of a statement that is prepared once per connection. The schema is the live one also after a replay has switched it. */
  query<Row extends object>(query: NamedQuery): Promise<Row[]>;
  close(): Promise<void>;
};

/** Opens a pool of read-only connections to a schema, the registry's read models by default. The first query connects. */
export function openReadModelDatabase(
  connectionString: string,
  logger: Pick<Logger, 'warn'> | null = null,
  { schema, connectionsMax } = {
    schema: readModelSchema as string,
    connectionsMax: queryLimits.databaseConnectionsMax as number,
  },
): ReadModelDatabase {
  const pool = new pg.Pool({
    connectionString,
    application_name: 'trust-projection queries',
    max: connectionsMax,
    connectionTimeoutMillis: queryLimits.databaseConnectTimeoutMs,
    statement_timeout: queryLimits.databaseStatementTimeoutMs,
    keepAlive: true,
    options: `-c search_path=${schema} -c default_transaction_read_only=on -c jit=off`,
  });
  // The pool replaces a connection that breaks while idle; without a listener the event would end the process.
  pool.on('error', (err) => logger?.warn({ err }, 'database connection lost'));
  return {
    query: async <Row extends object>(query: NamedQuery): Promise<Row[]> =>
      (await pool.query<Row>({ ...query, types: readModelTypes })).rows,
    close: () => pool.end(),
  };
}
