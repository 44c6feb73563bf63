import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type {} from './vitest-servers.ts';

/** A database for one test file, on the run's Postgres server. */
export interface TestDatabase {
  /** URL of a superuser on this database. */
  readonly url: string;
  readonly name: string;
  /** Removes the database and cuts open connections. */
  readonly drop: () => Promise<void>;
}

const onServer = async (serverUrl: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

/** Makes a fresh, empty database, so that test files cannot see each other. Call `drop` in `afterAll`. */
export async function createTestDatabase(serverUrl: string = inject('postgresUrl')): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name} STRATEGY FILE_COPY`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, name, drop: () => onServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** Opens a pool on a test's database, which may be dropped under it: `end` resolves before the connections are closed. */
export function openTestPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
