import { loadMigrations, migrate } from '@agent-trust/event-log';
import type { ClientBase } from 'pg';
import { withConnection } from '../shared/database.ts';
import { leaderLimits } from './limits.ts';

const schema = 'edge_replicas';
/** Held by a process that waits for the lock of the runner. */
const wantedLock = `hashtextextended('${schema}:wanted', 0)`;

export async function migrateLeadership(connectionString: string): Promise<void> {
  const migrations = await loadMigrations(new URL('./', import.meta.url));
  await withConnection({ connectionString, connectionTimeoutMillis: leaderLimits.connectTimeoutMs }, (client) =>
    migrate(client, { schema, migrations }),
  );
}

/** Begins a term of leading. Each of these is one statement, because the session also carries the transactions of the runner. */
export async function beginTerm(
  client: ClientBase,
): Promise<{ epoch: number; hadMembers: boolean; isWanted: boolean }> {
  const { rows } = await client.query<{ epoch: string; hadMembers: boolean; isFree: boolean }>(
    `SELECT nextval('${schema}.epoch') AS epoch, has_members AS "hadMembers",
       pg_try_advisory_xact_lock_shared(${wantedLock}) AS "isFree" FROM ${schema}.leadership`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`${schema}.leadership has no row`);
  return { epoch: Number(row.epoch), hadMembers: row.hadMembers, isWanted: !row.isFree };
}

/** The session answers, so it still holds the lock of the runner. @returns whether another process waits for that lock */
export async function checkLock(client: ClientBase): Promise<{ isWanted: boolean }> {
  const { rows } = await client.query<{ isFree: boolean }>(
    // Reads a row, because Postgres does not report the transactions of a session that touches no table.
    `SELECT pg_try_advisory_xact_lock_shared(${wantedLock}) AS "isFree" FROM ${schema}.leadership`,
  );
  return { isWanted: rows[0]?.isFree !== true };
}

/** Remembers on disk whether there are members. The runner's session itself does not wait for the disk. */
export async function rememberMembers(client: ClientBase, hasMembers: boolean): Promise<void> {
  await client.query(
    `UPDATE ${schema}.leadership SET has_members = $1 WHERE set_config('synchronous_commit', 'on', true) = 'on'`,
    [hasMembers],
  );
}

/** Asks whoever holds the lock of the runner for it, until the session ends. */
export async function wantLock(client: ClientBase): Promise<void> {
  await client.query(`SELECT pg_advisory_lock(${wantedLock})`);
}

export async function hadMembers(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ hasMembers: boolean }>(
    `SELECT has_members AS "hasMembers" FROM ${schema}.leadership`,
  );
  return rows[0]?.hasMembers === true;
}
