import type { ClientBase } from 'pg';

/** The two things that at most one process of a database does at a time. */
export type LockPurpose = 'run' | 'replay';

/**
 * Tries to take the session's advisory lock for a purpose on a schema; it is held until the connection ends, however it ends.
 * Needs a direct connection: a pooler that shares sessions would share the lock.
 */
export async function tryAdvisoryLock(client: ClientBase, purpose: LockPurpose, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held',
    [`projection:${purpose}:${schema}`],
  );
  return rows[0]?.held === true;
}
