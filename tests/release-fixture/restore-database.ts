import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { DatabaseDump } from './dump-database.ts';

const databaseName = 'agent_trust';

/** Restores a dump into a server without data, as its superuser; the roles get their passwords when the stack starts. */
export async function restoreDatabase(
  serverUrl: string,
  { roles, before, data, after }: DatabaseDump,
): Promise<string> {
  await withClient(serverUrl, async (client) => {
    for (const role of roles) await client.query(`CREATE ROLE ${pg.escapeIdentifier(role)}`);
    await client.query(`CREATE DATABASE ${databaseName}`);
  });
  const url = new URL(serverUrl);
  url.pathname = `/${databaseName}`;
  await withClient(url.href, async (client) => {
    await client.query('CREATE EXTENSION pg_trgm SCHEMA public');
    await client.query('BEGIN; SET LOCAL search_path TO pg_catalog; SET LOCAL check_function_bodies TO off');
    for (const line of before) await client.query(line);
    for (const { table, rows } of data) {
      if (rows !== '') await pipeline(Readable.from([rows]), client.query(copyFrom(`COPY ${table} FROM STDIN`)));
    }
    for (const line of after) await client.query(line);
    await client.query('COMMIT');
  });
  return url.href;
}

const withClient = async (connectionString: string, work: (client: pg.Client) => Promise<void>): Promise<void> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};
