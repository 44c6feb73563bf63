import { createTestDatabase, openTestPool, type TestDatabase, waitFor } from '@agent-trust/test-kit';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isAlive, showAlive } from './liveness.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openTestPool({ connectionString: database.url, max: 3 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const isShown = async (): Promise<boolean> =>
  (await pool.query<{ alive: boolean }>(`SELECT ${isAlive(`'job:1'`)} AS alive`)).rows[0]?.alive === true;

it('shows a process until it releases that', async () => {
  expect(await isShown()).toBe(false);
  const shown = await showAlive(pool, 'job:1');
  expect(await isShown()).toBe(true);
  shown.release();
  expect(await waitFor(async () => !(await isShown()), { description: 'the lock to be let go of' })).toBe(true);
});

// Bug: the database ends its connections, and the process dies of an error that nobody handles, without a word of what it has done.
it('outlives the connection that shows it', async () => {
  const shown = await showAlive(pool, 'job:1');
  await pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  expect(await waitFor(async () => !(await isShown()), { description: 'the lock to be lost' })).toBe(true);
  shown.release();
});
