import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventLogSetupError } from '../errors.ts';
import { type Migration, migrate } from './migrations.ts';

const migrations: Migration[] = [
  { number: 1, name: 'account', sql: 'CREATE TABLE account (id text PRIMARY KEY)', checksum: 'a' },
  { number: 2, name: 'movement', sql: 'CREATE TABLE movement (account text REFERENCES account)', checksum: 'b' },
];
let database: TestDatabase;
const clients: pg.Client[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await database.drop();
});
const connect = async (): Promise<pg.Client> => {
  const client = new pg.Client(database.url);
  clients.push(client);
  await client.connect();
  return client;
};

const query = async (sql: string): Promise<unknown[]> => (await (await connect()).query(sql)).rows as unknown[];

describe('migrations', () => {
  it('are applied in order of their numbers, to any schema, once', async () => {
    const client = await connect();
    expect(await migrate(client, { schema: 'elsewhere', migrations: migrations.slice(0, 1) })).toEqual([1]);
    expect(await migrate(client, { schema: 'elsewhere', migrations })).toEqual([2]);
    expect(await migrate(client, { schema: 'elsewhere', migrations })).toEqual([]);
    expect(await query(`SELECT to_regclass('elsewhere.movement')::text AS t`)).toEqual([{ t: 'elsewhere.movement' }]);
  });

  it('are applied once although many processes start together', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => connect()));
    const applied = await Promise.all(clients.map((client) => migrate(client, { schema: 'together', migrations })));
    expect(applied.flat().sort((a, b) => a - b)).toEqual([1, 2]);
  });

  it('refuse a text that was changed after it was applied', async () => {
    const client = await connect();
    await migrate(client, { schema: 'changed', migrations });
    const changed = migrations.map((migration) => ({ ...migration, checksum: 'other' }));
    await expect(migrate(client, { schema: 'changed', migrations: changed })).rejects.toThrow(EventLogSetupError);
  });

  it('refuse a schema that is newer than the code', async () => {
    const client = await connect();
    await migrate(client, { schema: 'newer', migrations });
    await expect(migrate(client, { schema: 'newer', migrations: migrations.slice(0, 1) })).rejects.toThrow(
      EventLogSetupError,
    );
  });

  it('leave nothing behind if one fails', async () => {
    const client = await connect();
    const broken = [...migrations, { number: 3, name: 'broken', sql: 'CREATE TABLE x (); SELECT 1/0', checksum: 'c' }];
    await expect(migrate(client, { schema: 'failing', migrations: broken })).rejects.toThrow('division by zero');
    expect(await query(`SELECT 1 FROM pg_namespace WHERE nspname = 'failing'`)).toEqual([]);
  });
});
