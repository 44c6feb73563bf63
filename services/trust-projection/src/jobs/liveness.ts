import type pg from 'pg';
import type { Actor } from '@agent-trust/contracts';

/*
 * The process of a job holds an advisory lock of the database while it lives: whoever does not find it held knows that the process is gone.
 * A name of a lock, in SQL, is a text such as `'replay:' || replay_id`.
 */
const lockKey = (name: string): string => `hashtextextended(${name}, 0)`;

/** An SQL condition: whether a process holds the lock of that name. */
export function isAlive(name: string): string {
  return `EXISTS (
  SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND ((l.classid::bigint << 32) | l.objid::bigint) = ${lockKey(name)})`;
}

/** Shows that this process lives, until it ends or releases this. */
export async function showAlive(pool: pg.Pool, name: string): Promise<{ release: () => void }> {
  const client = await pool.connect();
  // It is idle for as long as the job runs. Whoever loses it fails at the next report.
  client.on('error', () => undefined);
  await client.query(`SELECT pg_advisory_lock(${lockKey('$1::text')})`, [name]);
  return { release: () => client.release(true) };
}

/** Who asked for a job: a named operator is its id; the two secrets of the installation have none. */
export function actorText({ kind, id }: Actor): string {
  return id === null || id === kind ? kind : `${kind} ${id}`;
}
