import { fileURLToPath } from 'node:url';
import { createTestDatabase, describeSchema, type TestDatabase } from '@agent-trust/test-kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migratePostgresEventLog } from './migrate.ts';

/*
 * Bug: a migration changes the meaning of a table, index or function unintentionally.
 * Method: the catalog's description of the migrated schema, compared with a golden file; a diff is a decision (`vitest -u` writes it).
 */
const golden = fileURLToPath(new URL('../../golden/event-log-schema.txt', import.meta.url));
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
});
afterAll(() => database.drop());

it('the schema equals its golden file', async () => {
  await expect(await describeSchema(database.url, 'event_log')).toMatchFileSnapshot(golden);
});
