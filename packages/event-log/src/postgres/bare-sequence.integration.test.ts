import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newEvent } from '../contract-suite/subject.ts';
import { openPostgresEventLog } from './event-log.ts';
import { migratePostgresEventLog } from './migrate.ts';

/*
 * Bug: with `position bigserial`, a position is assigned when a row is inserted and visible when its transaction commits. Two transactions may
 * commit in the other order; a reader that follows by position then passes the later position and never sees the earlier one.
 * Method: two transactions controlled by hand, so that the order is certain; the same reader against both designs.
 */
describe('why positions are assigned under a lock', () => {
  let database: TestDatabase;
  const clients: pg.Client[] = [];
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client(database.url);
    await client.connect();
    clients.push(client);
    return client;
  };
  beforeAll(async () => {
    database = await createTestDatabase();
    await migratePostgresEventLog(database.url);
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await database.drop();
  });

  test('a plain sequence loses an event for a reader that follows by position', async () => {
    const [slow, fast, reader] = [await connect(), await connect(), await connect()];
    await reader.query('create table naive (position bigserial primary key, name text)');
    let checkpoint = '0';
    const seen: string[] = [];
    const follow = async (): Promise<void> => {
      const { rows } = await reader.query<{ position: string; name: string }>(
        'select position, name from naive where position > $1 order by position',
        [checkpoint],
      );
      for (const row of rows) {
        seen.push(row.name);
        checkpoint = row.position;
      }
    };
    await slow.query('begin');
    await slow.query(`insert into naive (name) values ('slow')`);
    await fast.query(`insert into naive (name) values ('fast')`);
    await follow();
    await slow.query('commit');
    await follow();
    expect(seen).toEqual(['fast']);
    expect((await reader.query('select from naive')).rowCount).toBe(2);
  });

  test('event_log.append makes the second writer wait, so nothing is skipped', async () => {
    const slow = await connect();
    const log = openPostgresEventLog(database.url);
    await slow.query('begin');
    await slow.query(`select * from event_log.append('{slow}', '{-2}', '{1}', $1, '{T}', $2, $2)`, [
      [newEvent().eventId],
      ['{}'],
    ]);
    const fast = log.append('fast', [newEvent()], { expectedRevision: 'any' });
    // The second writer waits for the lock: no position has been assigned yet.
    const admin = await connect();
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(async () => (await admin.query(waiting)).rowCount).toBe(1);
    expect(await log.headPosition()).toBeNull();
    await slow.query('commit');
    await fast;
    const all = await log.readAll({ after: null, countMax: 10 });
    expect(all.map((event) => [event.stream, event.position])).toEqual([
      ['slow', 1n],
      ['fast', 2n],
    ]);
    await log.close();
  });

  test('event_log.append refuses a snapshot that is older than the lock', async () => {
    const client = await connect();
    await client.query('begin isolation level repeatable read');
    const attempt = client.query(`select * from event_log.append('{s}', '{-2}', '{1}', $1, '{T}', $2, $2)`, [
      [newEvent().eventId],
      ['{}'],
    ]);
    await expect(attempt).rejects.toThrow(/read committed/);
    await client.query('rollback');
  });
});
