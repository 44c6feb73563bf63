import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newEvents, newStream } from '../contract-suite/subject.ts';
import { EventLogSetupError } from '../errors.ts';
import { openPostgresEventLog } from './event-log.ts';
import { grantEventLogAccess } from './grant.ts';
import { migratePostgresEventLog } from './migrate.ts';

let database: TestDatabase;
let owner: pg.Client;
let role: (suffix: string) => string;

const urlOf = (user: string): string => {
  const url = new URL(database.url);
  url.username = user;
  url.password = 'test';
  return url.href;
};

beforeAll(async () => {
  database = await createTestDatabase();
  role = (suffix) => `${database.name} ${suffix}`;
  await migratePostgresEventLog(database.url);
  owner = new pg.Client(database.url);
  await owner.connect();
  for (const suffix of ['writer', 'reader', 'stranger']) {
    await owner.query(`create role ${pg.escapeIdentifier(role(suffix))} login password 'test'`);
  }
  await grantEventLogAccess(database.url, { writers: [role('writer')], readers: [role('reader')] });
});
afterAll(async () => {
  for (const suffix of ['writer', 'reader', 'stranger']) {
    await owner.query(`drop owned by ${pg.escapeIdentifier(role(suffix))}`);
    await owner.query(`drop role ${pg.escapeIdentifier(role(suffix))}`);
  }
  await owner.end();
  await database.drop();
});

describe('migrations', () => {
  test('run once, however many start them', async () => {
    const fresh = await createTestDatabase();
    const runs = await Promise.all(Array.from({ length: 4 }, () => migratePostgresEventLog(fresh.url)));
    expect(runs.filter((applied) => applied.length > 0)).toEqual([[1, 2]]);
    expect(await migratePostgresEventLog(fresh.url)).toEqual([]);
    await fresh.drop();
  });

  test('refuse a database that was migrated with another text', async () => {
    const fresh = await createTestDatabase();
    await migratePostgresEventLog(fresh.url);
    const client = new pg.Client(fresh.url);
    await client.connect();
    await client.query(`update event_log.migrations set sha256 = 'other' where number = 2`);
    await client.end();
    await expect(migratePostgresEventLog(fresh.url)).rejects.toThrow(EventLogSetupError);
    await fresh.drop();
  });
});

describe('access', () => {
  test('a writer appends, reads and follows', async () => {
    const log = openPostgresEventLog(urlOf(role('writer')));
    const stream = newStream();
    await log.append(stream, newEvents(2), { expectedRevision: 'no_stream' });
    expect(await log.readStream(stream)).toHaveLength(2);
    const { value } = await log.subscribeToAll({ after: null })[Symbol.asyncIterator]().next();
    expect(value).toHaveLength(2);
    await log.close();
  });

  test('a reader reads and cannot append', async () => {
    const log = openPostgresEventLog(urlOf(role('reader')));
    await log.readAll({ after: null, countMax: 1 });
    await expect(log.append(newStream(), newEvents(1), { expectedRevision: 'any' })).rejects.toThrow(
      EventLogSetupError,
    );
    await log.close();
  });

  test('a stranger can do neither', async () => {
    const log = openPostgresEventLog(urlOf(role('stranger')));
    await expect(log.readStream('s')).rejects.toThrow(EventLogSetupError);
    await expect(log.append(newStream(), newEvents(1), { expectedRevision: 'any' })).rejects.toThrow(
      EventLogSetupError,
    );
    await log.close();
  });

  test.each([
    `insert into event_log.events values (1000, gen_random_uuid(), 's', 0, 'T', '{}', '{}', now())`,
    `update event_log.events set type = 'X'`,
    'delete from event_log.events',
    'truncate event_log.events',
  ])('nobody who appends can do: %s', async (statement) => {
    const client = new pg.Client(urlOf(role('writer')));
    await client.connect();
    await expect(client.query(statement)).rejects.toThrow(/permission denied/);
    await client.end();
  });

  test.each([`update event_log.events set type = 'X'`, 'delete from event_log.events', 'truncate event_log.events'])(
    'even the owner is refused: %s',
    async (statement) => {
      await expect(owner.query(statement)).rejects.toThrow(/append-only/);
    },
  );

  test('is taken back from a writer who becomes a reader', async () => {
    await grantEventLogAccess(database.url, { writers: [role('stranger')], readers: [] });
    await grantEventLogAccess(database.url, { writers: [], readers: [role('stranger')] });
    const log = openPostgresEventLog(urlOf(role('stranger')));
    await log.readStream('s');
    await expect(log.append(newStream(), newEvents(1), { expectedRevision: 'any' })).rejects.toThrow(
      EventLogSetupError,
    );
    await log.close();
  });
});
