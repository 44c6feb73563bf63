import { readModelTypes } from '@agent-trust/projections';
import pg from 'pg';
import { queryLimits } from '../limits.ts';
import { readModelSchema } from '../projector/read-models/registry-read-model.ts';

export type NamedQuery = { name: string; text: string; values: unknown[] };

/** Read access to the live read models. */
export type ReadModelDatabase = {
  /** Rows of a statement that is prepared once per connection. The schema is the live one also after a replay has switched it. */
  query<Row extends object>(query: NamedQuery): Promise<Row[]>;
  close(): Promise<void>;
};

/** Opens a pool of read-only connections to a schema, the read models' where none is named. Nothing is connected before the first query. */
export function openReadModelDatabase(
  connectionString: string,
  onError: (error: Error) => void = () => undefined,
  { schema, connectionsMax }: { schema: string; connectionsMax: number } = {
    schema: readModelSchema,
    connectionsMax: queryLimits.databaseConnectionsMax,
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
  // A connection that breaks while idle is replaced by the pool; unheard, the event would end the process.
  pool.on('error', onError);
  return {
    query: async <Row extends object>(query: NamedQuery): Promise<Row[]> =>
      (await pool.query<Row>({ ...query, types: readModelTypes })).rows,
    close: () => pool.end(),
  };
}
