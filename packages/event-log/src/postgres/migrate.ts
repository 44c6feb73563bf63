import pg from 'pg';
import { eventLogLimits } from '../limits.ts';
import { ensureLogFormat, logFormat } from '../log-format.ts';
import { loadMigrations, migrate } from './migrations.ts';
import { readFormat } from './read.ts';
import { ensurePostgresVersion } from './server-version.ts';

const formatLock = '7310589254072';

/**
 * Brings the schema `event_log` up to date and returns the numbers of the migrations applied now. Safe to run repeatedly and from many
 * processes at once. `ownerUrl` names a database user that may create a schema. Rejects with `EventLogSetupError` for a log in another
 * build's format, and as `migrate` does.
 */
export function migratePostgresEventLog(ownerUrl: string): Promise<number[]> {
  return asOwner(ownerUrl, async (client) => {
    await ensurePostgresVersion(client);
    await client.query('select pg_advisory_lock($1)', [formatLock]);
    await client.query(`
      create schema if not exists event_log;
      create table if not exists event_log.log_format (
        only_row boolean primary key default true check (only_row), number integer not null
      )`);
    await client.query(
      `insert into event_log.log_format (number) select $1 where to_regclass('event_log.events') is null on conflict do nothing`,
      [logFormat],
    );
    ensureLogFormat(await readFormat(client));
    const migrations = await loadMigrations(new URL('./migrations/', import.meta.url));
    return migrate(client, { schema: 'event_log', migrations });
  });
}

/** The signature of event_log.append in a grant. */
export const appendSignature = 'event_log.append(text[], bigint[], integer[], uuid[], text[], json[], json[])';
/** Those of the functions for archived events. */
const archive = [
  'event_log.remove_archived(bigint, bigint[], text[])',
  'event_log.restore_archived(bigint, bigint[], bigint[], uuid[], text[], bigint[], text[], json[], json[], timestamptz[])',
];

/**
 * Gives existing database roles their rights on the event log and no others: writers append and read, readers only read. No role gets
 * INSERT, UPDATE or DELETE: the append function, which runs as the owner, is the only way to write. `retention` also gets the functions
 * that remove and restore archived exchanges. Running it again is harmless.
 */
export function grantEventLogAccess(
  ownerUrl: string,
  {
    writers,
    readers,
    retention = [],
  }: { writers: readonly string[]; readers: readonly string[]; retention?: readonly string[] },
): Promise<void> {
  const statements: string[] = [];
  for (const role of new Set([...writers, ...readers, ...retention])) {
    const name = pg.escapeIdentifier(role);
    statements.push(
      `revoke all on all tables in schema event_log from ${name}`,
      `revoke all on all functions in schema event_log from ${name}`,
      `revoke all on schema event_log from ${name}`,
      `grant usage on schema event_log to ${name}`,
      `grant select on event_log.events, event_log.log_format to ${name}`,
    );
    const functions = [
      ...(writers.includes(role) || retention.includes(role) ? [appendSignature] : []),
      ...(retention.includes(role) ? archive : []),
    ];
    if (functions.length > 0) statements.push(`grant execute on function ${functions.join(', ')} to ${name}`);
  }
  return asOwner(ownerUrl, async (client) => {
    await client.query(`begin; ${statements.join('; ')}; commit`);
  });
}

const asOwner = async <Result>(ownerUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({
    connectionString: ownerUrl,
    connectionTimeoutMillis: eventLogLimits.connectDeadlineMs,
  });
  // A broken connection fails the running query; its error event must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
