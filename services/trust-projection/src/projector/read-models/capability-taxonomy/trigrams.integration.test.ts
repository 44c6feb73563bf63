import { createSchema } from '@agent-trust/projections';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registryReadModel } from '../registry-read-model.ts';
import { readModelSchema } from '../../../shared/database.ts';

let database: TestDatabase;
const roles: string[] = [];

const asOwner = async (...statements: string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
};

/** Creates the schemas with a real deployment's role, which may create schemas in this database and has no other right. */
const createAsService = async (): Promise<void> => {
  const role = `service_${database.name}`;
  const password = 'only-for-this-test';
  await asOwner(
    `CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD '${password}'`,
    `REVOKE ALL ON DATABASE ${database.name} FROM PUBLIC`,
    `GRANT CONNECT, CREATE ON DATABASE ${database.name} TO ${role}`,
  );
  roles.push(role);
  const url = new URL(database.url);
  url.username = role;
  url.password = password;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    const { schema } = await registryReadModel();
    for (const name of [readModelSchema, `${readModelSchema}_next`]) await createSchema(client, name, schema);
  } finally {
    await client.end();
  }
};

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const role of roles.splice(0)) await asOwner(`DROP OWNED BY ${role} CASCADE`, `DROP ROLE ${role}`);
  await database.drop();
});

// Bug: a schema that only works for the superuser of the tests, or only in the first schema of the search path.
describe("the extension that the taxonomy's search needs", () => {
  it('can be created by a service whose only right is to create schemas', async () => {
    await expect(createAsService()).resolves.toBeUndefined();
  });

  it('is used unchanged if the owner has created it', async () => {
    await asOwner('CREATE EXTENSION pg_trgm SCHEMA public');
    await expect(createAsService()).resolves.toBeUndefined();
  });

  it('stops the start if it is in another schema, with a line that says what to do', async () => {
    await asOwner('CREATE SCHEMA elsewhere', 'CREATE EXTENSION pg_trgm SCHEMA elsewhere');
    await expect(createAsService()).rejects.toThrow(
      new RegExp(`database "${database.name}" has it in schema "elsewhere": let its owner run ALTER EXTENSION`),
    );
  });
});
