import { fileURLToPath } from 'node:url';
import { createSchema } from '@agent-trust/projections';
import { createTestDatabase, describeSchema, type TestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registryReadModel } from './registry-read-model.ts';
import { readModelSchema } from '../../shared/database.ts';

/*
 * Bug: a change of a schema changes what a read model's table or index means without anybody having decided it.
 * Method: the schema, in the catalog's words, against a golden file; a diff is a decision (`vitest -u` writes it).
 */
const golden = fileURLToPath(new URL('../../../golden/read-models-schema.txt', import.meta.url));
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await createSchema(client, readModelSchema, (await registryReadModel()).schema);
  await client.end();
});
afterAll(() => database.drop());

it('has the schema that was decided', async () => {
  await expect(await describeSchema(database.url, readModelSchema)).toMatchFileSnapshot(golden);
});
