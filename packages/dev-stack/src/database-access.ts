import { EventLogFormatError, grantEventLogAccess, migratePostgresEventLog } from '@agent-trust/event-log';
import { preparePersonalData } from '@agent-trust/personal-data';
import pg from 'pg';
import { databasePasswordName, databaseRole, retentionUser, serviceKinds } from './services.ts';
import type { Secrets } from './data-folder.ts';
import { StackError } from './stack-error.ts';

const databaseName = 'agent_trust';
const connectTimeoutMs = 10_000;
const roleConnectionsMax = 60;

const onDatabase = (serverUrl: string, database: string): string => {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
};

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  // A broken connection fails the statement; its error event must not end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Creates or updates a role that can log in and do nothing else. */
const ensureRole = async (client: pg.Client, role: string, password: string): Promise<void> => {
  const name = pg.escapeIdentifier(role);
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  if (rowCount === 0) await client.query(`CREATE ROLE ${name}`);
  await client.query(
    `ALTER ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION CONNECTION LIMIT ${roleConnectionsMax} PASSWORD ${pg.escapeLiteral(password)}`,
  );
  await client.query(`GRANT CONNECT ON DATABASE ${databaseName} TO ${name}`);
};

interface DatabaseAccess {
  /** The database as its owner sees it; for tests and tools. */
  readonly ownerUrl: string;
  readonly urlFor: (service: string) => string;
}

/**
 * Prepares the embedded Postgres: one database, and for each service that needs one a role with only its own rights. trust-projection owns the
 * schemas of the read models and may create more (a replay builds beside the live one). Can be repeated.
 */
export async function prepareDatabase(
  serverUrl: string,
  secrets: Secrets,
  parts: { eventLog: boolean },
): Promise<DatabaseAccess> {
  const ownerUrl = onDatabase(serverUrl, databaseName);
  const users = serviceKinds.filter(
    ({ readModels, personalData, eventLog }) =>
      readModels || personalData !== 'none' || (parts.eventLog && eventLog !== 'none'),
  );
  const rolesOn = (part: 'eventLog' | 'personalData'): { writers: string[]; readers: string[] } => {
    const roles = (right: 'writer' | 'reader'): string[] =>
      users.filter((user) => user[part] === right).map(({ name }) => databaseRole(name));
    return { writers: roles('writer'), readers: roles('reader') };
  };
  await withClient(serverUrl, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
    await client.query(`REVOKE ALL ON DATABASE ${databaseName} FROM PUBLIC`);
    for (const name of [...users.map((user) => user.name), ...(parts.eventLog ? [retentionUser] : [])])
      await ensureRole(client, databaseRole(name), secrets[databasePasswordName(name)] ?? '');
  });
  if (parts.eventLog) {
    await migrateEventLog(ownerUrl);
    await grantEventLogAccess(ownerUrl, { ...rolesOn('eventLog'), retention: [databaseRole(retentionUser)] });
  }
  await preparePersonalData(ownerUrl, rolesOn('personalData'));
  await withClient(ownerUrl, async (client) => {
    // Capabilities are searched by trigrams. Outside the read models' schemas, which a replay builds and drops.
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public');
    for (const { name } of users.filter(({ readModels }) => readModels)) {
      const role = pg.escapeIdentifier(databaseRole(name));
      await client.query(`CREATE SCHEMA IF NOT EXISTS read_models AUTHORIZATION ${role}`);
      await client.query(`GRANT CREATE ON DATABASE ${databaseName} TO ${role}`);
    }
  });

  return {
    ownerUrl,
    urlFor: (service) => {
      const url = new URL(ownerUrl);
      url.username = databaseRole(service);
      url.password = secrets[databasePasswordName(service)] ?? '';
      return url.href;
    },
  };
}

/** @throws StackError if the event log was written by a build that this one cannot follow; other failures unchanged. */
export async function migrateEventLog(ownerUrl: string): Promise<void> {
  try {
    await migratePostgresEventLog(ownerUrl);
  } catch (error) {
    throw error instanceof EventLogFormatError ? new StackError(error.message) : error;
  }
}
