/**
 * Bug: what a replay does to all rows of a table at once, an index or the comparison, is ended by the timeout of a batch when the log is large,
 * and so is every later attempt.
 * Method: the timeout under which the database runs these statements.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { projectionLimits } from '../limits.ts';
import type { ReadModel } from '../projection.ts';
import { inTransaction, openWriterSession } from '../session.ts';
import { appendHistory, type BankEvent, bankReadModel } from '../testing/bank.ts';
import { createFixture, type Fixture } from '../testing/fixture.ts';
import { compareSchemas } from './compare.ts';
import { replayReadModel } from './replay.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
});
afterEach(() => fixture.close());

const timeoutOf = `(SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout')`;
const batchTimeoutMs = 120_000;

it('a replay writes rows and makes indexes under the limit of whole tables', async () => {
  const bank = await bankReadModel();
  // The index is made on the session that has copied the rows of its table.
  const sql = `${bank.schema.sql}; CREATE FUNCTION timeout_ms() RETURNS int LANGUAGE sql AS $$ SELECT ${timeoutOf} $$;
    ALTER TABLE movement ADD COLUMN timeout_ms int DEFAULT timeout_ms()`;
  const readModel: ReadModel<BankEvent> = { ...bank, schema: { sql, fingerprint: 'with timeouts' } };
  await appendHistory(fixture.log, 0, 20);
  const { connection, log } = fixture;
  await replayReadModel({ connection, schema: 'read_models', log, readModel });
  const found = await fixture.query('SELECT DISTINCT timeout_ms FROM read_models.movement');
  expect(found).toEqual([{ timeout_ms: projectionLimits.wholeTableTimeoutMs }]);
});

it('a comparison has that limit as long as its transaction lasts', async () => {
  const client = await openWriterSession(fixture.connection, 'read_models');
  const timeoutMs = async (): Promise<number | undefined> =>
    (await client.query<{ ms: number }>(`SELECT ${timeoutOf} AS ms`)).rows[0]?.ms;
  try {
    await inTransaction(client, async () => {
      const both = { live: 'read_models', replayed: 'read_models' };
      await compareSchemas(client, { ...both, position: null, shownMax: 1, notCompared: [] });
      expect(await timeoutMs()).toBe(projectionLimits.wholeTableTimeoutMs);
    });
    expect(await timeoutMs()).toBe(batchTimeoutMs);
  } finally {
    await client.end();
  }
});
