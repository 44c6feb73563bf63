import pg from 'pg';
import { jobLimits } from './limits.ts';

/** Opens a pool for the tables in which jobs are kept. @param onLost is told of connections that break while idle */
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
  // One that is in use, or that ends: without a listener the event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
