import { createSchema, openWriterSession } from '@agent-trust/projections';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readModelSchema } from '../../../../shared/database.ts';
import { registryReadModel } from '../../registry-read-model.ts';
import { newestEntries } from './queries.ts';

let database: TestDatabase;
let session: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  session = await openWriterSession({ connectionString: database.url }, readModelSchema);
  const { schema } = await registryReadModel();
  await createSchema(session, readModelSchema, schema);
  // The tables are empty, and of an empty table any plan is a good one.
  await session.query('SET enable_seqscan = off');
  await session.query('SET enable_bitmapscan = off');
});
afterAll(async () => {
  await session.end();
  await database.drop();
});

// Bug: whoever asks for a page of an organisation's record makes the registry read and sort all reviews of the organisation.
it.each([{ subjects: ['v2 record acme'] }, { subjects: ['v2 record acme', 'v2 answer acme'] }])(
  'a page of a record is read by index and not sorted: $subjects',
  async ({ subjects }) => {
    const { text, values } = newestEntries(subjects, { position: 1_000n, limit: 100, offset: 200 });
    const { rows } = await session.query<{ 'QUERY PLAN': string }>({ text: `EXPLAIN ${text}`, values });
    const plan = rows.map((row) => row['QUERY PLAN']);
    expect(plan.filter((line) => /Sort {2}\(|Seq Scan/u.test(line))).toEqual([]);
    expect(plan.filter((line) => line.includes('Backward using trust_entry_pkey'))).toHaveLength(subjects.length);
  },
);
