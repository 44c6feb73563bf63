import { createTestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { expect, test } from 'vitest';
import { newEvents, newStream } from '../contract-suite/subject.ts';
import { openPostgresEventLog } from './event-log.ts';
import { migratePostgresEventLog } from './migrate.ts';

/*
 * Bug: plans of reads and of event_log.append are made once per connection. A plan made while the table is a single page scans the whole table; kept
 * while the table grows, it makes each of them scan every event, and the log stalls after some ten thousand appends.
 * Method: a small, analysed table, for which the planner chooses a scan; the server's count of sequential scans must not grow.
 */
test('no append, read or subscription scans the log, however small it was when the plans were made', async () => {
  const database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  const admin = new pg.Client(database.url);
  await admin.connect();
  const counters = async (): Promise<{ scans: number; inserted: number }> => {
    const { rows } = await admin.query<{ seq_scan: string; n_tup_ins: string }>(
      `select seq_scan, n_tup_ins from pg_stat_user_tables where schemaname = 'event_log' and relname = 'events'`,
    );
    return { scans: Number(rows[0]?.seq_scan), inserted: Number(rows[0]?.n_tup_ins) };
  };
  // A backend reports its counts when it ends.
  const append = async (count: number): Promise<void> => {
    const log = openPostgresEventLog(database.url);
    const subscription = log.subscribeToAll({ after: null });
    const pages = subscription[Symbol.asyncIterator]();
    for (let n = 0; n < count; n++) {
      const stream = newStream();
      const { position } = await log.append(stream, newEvents(1), { expectedRevision: 'no_stream' });
      const reads = [
        log.readStream(stream),
        log.readStream(stream, { direction: 'backwards', countMax: 1 }),
        log.readAt([position]),
        log.readAll({ after: position - 1n, countMax: 1 }),
      ];
      for (const read of reads) expect(await read).toHaveLength(1);
    }
    for (let received = 0; received < count; ) received += (await pages.next()).value?.length ?? count;
    await subscription.close();
    await log.close();
  };
  await append(5);
  await admin.query('analyze event_log.events');
  await expect.poll(async () => (await counters()).inserted).toBe(5);
  const { scans } = await counters();
  await append(20);
  await expect.poll(async () => (await counters()).inserted).toBe(25);
  expect((await counters()).scans).toBe(scans);
  await admin.end();
  await database.drop();
});
