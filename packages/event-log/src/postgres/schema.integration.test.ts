import { fileURLToPath } from 'node:url';
import { createTestDatabase, describeSchema, type TestDatabase } from '@agent-trust/test-kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migratePostgresEventLog } from './migrate.ts';

/*
 * Bug: a migration changes the meaning of a table, index or function unintentionally.
 * Method: the migrated schema, in the catalog's words, against a golden file; a diff is a decision (`vitest -u` writes it).
 */
const golden = fileURLToPath(new URL('../../golden/event-log-schema.txt', import.meta.url));
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
});
afterAll(() => database.drop());

it('has the schema that was decided', async () => {
  await expect(await describeSchema(database.url, 'event_log')).toMatchFileSnapshot(golden);
});
