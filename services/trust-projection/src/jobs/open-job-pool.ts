import pg from 'pg';
import { jobLimits } from './limits.ts';

/** Opens a pool for the tables in which jobs are kept. @param onLost called when an idle connection breaks */
export function openJobPool(
  connectionString: string,
  applicationName: string,
  onLost: (error: Error) => void,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    application_name: applicationName,
    max: jobLimits.connectionsMax,
    connectionTimeoutMillis: jobLimits.connectTimeoutMs,
    statement_timeout: jobLimits.statementTimeoutMs,
  });
  pool.on('error', onLost);
  // A connection in use or closing: its error event, too, would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
