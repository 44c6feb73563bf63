import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { EventLogSetupError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import { ensureLogFormat, logFormat } from '../log-format.ts';
import { readFormat } from './read.ts';

const migrationsFolder = new URL('./migrations/', import.meta.url);
const migrationLock = '7310589254072';

/**
 * Brings the schema `event_log` up to date and returns the numbers of the migrations it applied. Safe to run repeatedly and from many processes at
 * once. `ownerUrl` names a database user that may create a schema. A log in another build's format, and a migration that was applied with another
 * text, are refused with `EventLogSetupError`.
 */
export async function migratePostgresEventLog(ownerUrl: string): Promise<number[]> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    connectionTimeoutMillis: eventLogLimits.connectDeadlineMs,
  });
  // A broken connection fails the running query; its error event must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(`
      create schema if not exists event_log;
      create table if not exists event_log.migrations (
        number integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now()
      );
      create table if not exists event_log.log_format (
        only_row boolean primary key default true check (only_row), number integer not null
      )`);
    const rows = await client.query<{ number: number; sha256: string }>(
      'select number, sha256 from event_log.migrations',
    );
    const applied = new Map(rows.rows.map((row) => [row.number, row.sha256]));
    if (applied.size === 0) {
      await client.query('insert into event_log.log_format (number) values ($1) on conflict do nothing', [logFormat]);
    }
    ensureLogFormat(await readFormat(client));
    const done: number[] = [];
    for (const migration of await readMigrations()) {
      const known = applied.get(migration.number);
      if (known === undefined) {
        await apply(client, migration);
        done.push(migration.number);
      } else if (known !== migration.sha256) {
        throw new EventLogSetupError(
          `Migration ${migration.name} of the event log was applied with another text; a released migration never changes.`,
        );
      }
    }
    return done;
  } finally {
    await client.end();
  }
}

type Migration = { number: number; name: string; sql: string; sha256: string };

const readMigrations = async (): Promise<Migration[]> => {
  const names = (await readdir(migrationsFolder)).filter((name) => /^\d{4}-.*\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, migrationsFolder), 'utf8');
      return { number: Number(name.slice(0, 4)), name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
};

const apply = async (client: pg.Client, { number, name, sql, sha256 }: Migration): Promise<void> => {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into event_log.migrations (number, name, sha256) values ($1, $2, $3)', [
      number,
      name,
      sha256,
    ]);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback');
    throw new EventLogSetupError(
      `Migration ${name} of the event log failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
};
