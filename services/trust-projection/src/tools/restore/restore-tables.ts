import { join } from 'node:path';
import { loadMigrations, migrate, migratePostgresEventLog } from '@agent-trust/event-log';
import { preparePersonalData } from '@agent-trust/personal-data';
import pg from 'pg';
import { createSigningSchema } from '../../log-signing/signed-head-schema.ts';
import { usageMigrations, usageSchema } from '../../usage/usage-store.ts';
import { outboxSchema } from '../../webhooks/outbox/session.ts';
import { BackupError } from '../backup/backup-error.ts';
import { backupLimits } from '../backup/limits.ts';
import type { Manifest, ManifestPart } from '../backup/manifest.ts';
import { allParts, nameOf, type Part, type Place } from '../backup/parts.ts';
import { copyIn } from '../backup/table-files.ts';

/** The role that owns the schemas of trust-projection, where services have roles of their own. */
const projectionRole = 'trust_projection';
const ownSchemas: ReadonlySet<string> = new Set(['log_signing', outboxSchema, usageSchema]);

export type TablesRequest = {
  folder: string;
  manifest: Manifest;
  /** Addresses with users that own the schemas, or may create them. */
  urls: Readonly<Record<Place, string>>;
  onPart: (part: ManifestPart) => void;
  signal: AbortSignal;
};

/**
 * Puts the tables of a backup into databases that have no registry yet. Each database is filled in one transaction. Where the log is on a server of
 * its own, its transaction is the last: a registry that has what was signed and not the log writes nothing.
 * @throws BackupError if there is a registry already; database errors
 */
export async function restoreTables(request: TablesRequest): Promise<void> {
  const { urls, manifest } = request;
  await migratePostgresEventLog(urls.eventLog);
  await preparePersonalData(urls.database);
  await makeProjectionSchemas(urls.database);
  await using resources = new AsyncDisposableStack();
  const database = await open(urls.database, resources);
  const eventLog = urls.eventLog === urls.database ? database : await open(urls.eventLog, resources);
  const clients: Readonly<Record<Place, pg.Client>> = { database, eventLog };
  for (const client of new Set([database, eventLog])) await client.query('BEGIN');
  await ensureFormat(eventLog, manifest);
  for (const part of allParts) await ensureEmpty(clients[part.place], part);
  for (const part of manifest.parts) {
    await fill(clients[placeOf(part)], part, request);
    request.onPart(part);
  }
  request.signal.throwIfAborted();
  await database.query('COMMIT');
  if (eventLog !== database) await commitLog(eventLog);
  // The statistics of an empty table would have the first queries read all of it.
  for (const part of manifest.parts) await clients[placeOf(part)].query(`ANALYZE ${nameOf(part)}`);
}

const commitLog = async (eventLog: pg.Client): Promise<void> => {
  try {
    await eventLog.query('COMMIT');
  } catch (cause) {
    throw new BackupError(
      `What was signed, sent and used was restored, and the log of EVENT_LOG_URL was not (${String(cause)}): drop both databases, make them again, and repeat the restore.`,
      { cause },
    );
  }
};

const open = async (url: string, resources: AsyncDisposableStack): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'restore',
    connectionTimeoutMillis: backupLimits.connectTimeoutMs,
    lock_timeout: backupLimits.lockTimeoutMs,
  });
  // A broken connection fails the running statement; its error event must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  return resources.adopt(client, (it) => it.end());
};

const placeOf = (part: ManifestPart): Place =>
  allParts.find((one) => nameOf(one) === nameOf(part))?.place ?? 'database';

const ensureFormat = async (client: pg.Client, { logFormat }: Manifest): Promise<void> => {
  const { rows } = await client.query<{ number: number }>('SELECT number FROM event_log.log_format');
  if (rows[0]?.number !== logFormat)
    throw new BackupError(
      `The log of the backup has format ${logFormat}, and this build reads format ${rows[0]?.number}: restore it with the build that wrote it.`,
    );
};

/** The schemas that trust-projection makes for itself when it first starts, owned by its role where it has one. */
const makeProjectionSchemas = async (url: string): Promise<void> => {
  await using resources = new AsyncDisposableStack();
  const client = await open(url, resources);
  if (await hasProjectionRole(client)) await client.query(`SET ROLE ${projectionRole}`);
  await client.query('BEGIN');
  await createSigningSchema(client);
  await client.query('COMMIT');
  const migrations = await loadMigrations(new URL('../../webhooks/outbox/', import.meta.url));
  await migrate(client, { schema: outboxSchema, migrations });
  await migrate(client, { schema: usageSchema, migrations: await usageMigrations() });
};

const hasProjectionRole = async (client: pg.Client): Promise<boolean> => {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [projectionRole]);
  return rowCount !== 0;
};

/** Rows that a migration makes, which those of the backup replace. */
const madeByMigration = new Set([`${outboxSchema}.handed_over`]);

const ensureEmpty = async (client: pg.Client, part: Part): Promise<void> => {
  if (madeByMigration.has(nameOf(part))) return;
  const { rowCount } = await client.query(`SELECT FROM ${nameOf(part)} LIMIT 1`);
  if (rowCount !== 0)
    throw new BackupError(`There is a registry already, with rows in ${nameOf(part)}: restore into an empty database.`);
};

const fill = async (client: pg.Client, part: ManifestPart, request: TablesRequest): Promise<void> => {
  const { folder, signal } = request;
  const name = nameOf(part);
  if (ownSchemas.has(part.schema) && (await hasProjectionRole(client)))
    await client.query(`SET LOCAL ROLE ${projectionRole}`);
  if (madeByMigration.has(name)) await client.query(`DELETE FROM ${name}`);
  const rows = await copyIn(client, part, part.columns, join(folder, part.file), signal);
  if (rows !== part.rows)
    throw new BackupError(`${rows} rows of ${name} were restored, and the backup has ${part.rows}.`);
  await continueIdentities(client, part);
  await client.query('RESET ROLE');
};

/** The next number of a column that counts by itself is one that no row of the backup has. */
const continueIdentities = async (client: pg.Client, part: ManifestPart): Promise<void> => {
  const name = nameOf(part);
  const { rows } = await client.query<{ column: string }>(
    `SELECT attname AS column FROM pg_attribute WHERE attrelid = $1::regclass AND attidentity <> ''`,
    [name],
  );
  for (const { column } of rows) {
    const quoted = pg.escapeIdentifier(column);
    await client.query(
      `SELECT setval(pg_get_serial_sequence($1, $2), coalesce(max(${quoted}), 0) + 1, false) FROM ${name}`,
      [name, column],
    );
  }
};
