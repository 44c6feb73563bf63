/** Bug: a process that changes all rows at once goes on when it has lost the lock, while others answer from memory again. */
import { createTestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { haltReplicas } from './halt-replicas.ts';

it('says that the lock is lost, and leaves a successor to wait', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const connection = { connectionString: database.url };
  const halted = await haltReplicas(connection, 'rows');
  await halted.ensureHeld();
  const client = new pg.Client(connection);
  await client.connect();
  onTestFinished(() => client.end());
  const mayHaveMembers = async (): Promise<unknown> =>
    (await client.query('SELECT has_members FROM edge_replicas.leadership')).rows[0];
  // The server has databases of other tests, and pg_locks shows their locks, too.
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND database =
       (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  await expect(halted.ensureHeld()).rejects.toThrow(/terminat|closed|ended|not queryable/iu);
  await halted.end();
  expect(await mayHaveMembers()).toEqual({ has_members: true });
  const again = await haltReplicas(connection, 'rows');
  await again.end();
  expect(await mayHaveMembers()).toEqual({ has_members: false });
});
