import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EventLogSetupError } from './errors.ts';
import { type ServerProcess, startServerProcess } from './eventstoredb/test-server/server-process.ts';
import { openCheckedEventLog, openEventLog } from './open-event-log.ts';
import { grantEventLogAccess, migratePostgresEventLog } from './postgres/migrate.ts';
import type { NewEvent } from './port.ts';

const event = (): NewEvent => ({ eventId: randomUUID(), type: 'SomethingHappened', data: {}, metadata: {} });

describe('the format of a log in Postgres', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  const open = async (): Promise<void> => (await openCheckedEventLog(database.url)).close();

  test('is recorded when the log is created, and never changes', async () => {
    await migratePostgresEventLog(database.url);
    await open();
    await expect(migratePostgresEventLog(database.url)).resolves.toEqual([]);
  });

  test('is readable for a role that can only read the log', async () => {
    await migratePostgresEventLog(database.url);
    const role = `reader_${randomUUID().replaceAll('-', '')}`;
    await run(`create role ${role} login password 'p'`);
    await grantEventLogAccess(database.url, { writers: [], readers: [role] });
    const url = new URL(database.url);
    [url.username, url.password] = [role, 'p'];
    try {
      const log = await openCheckedEventLog(url.href);
      expect(await log.headPosition()).toBeNull();
      await log.close();
    } finally {
      await run(`drop owned by ${role}; drop role ${role}`);
    }
  });

  test.each([
    ['an earlier build, which recorded none', 'drop table event_log.log_format', /earlier build \(format unknown\)/],
    ['an earlier build', 'update event_log.log_format set number = 0', /earlier build \(format 0\)/],
    ['a later build', 'update event_log.log_format set number = 7', /format 7 of a later build/],
  ])('of %s is refused, by services and by the migration', async (_, sql, message) => {
    await migratePostgresEventLog(database.url);
    await run(sql);
    await expect(open()).rejects.toThrow(EventLogSetupError);
    await expect(open()).rejects.toThrow(message);
    await expect(migratePostgresEventLog(database.url)).rejects.toThrow(message);
  });

  test('of a database without a log is not an earlier build', async () => {
    await expect(open()).rejects.toThrow(/refused by the event log's database/);
  });
});

describe('the format of a log in EventStoreDB', () => {
  let server: ServerProcess;
  beforeEach(async () => {
    server = await startServerProcess();
  });
  afterEach(() => server.close());

  test('is recorded by the first process on an empty log, invisible to readers', async () => {
    const logs = await Promise.all(Array.from({ length: 4 }, () => openCheckedEventLog(server.url)));
    const [log] = logs;
    await log!.append('s', [event()], { expectedRevision: 'no_stream' });
    await log!.checkFormat();
    expect(await log!.readAll({ after: null, countMax: 10 })).toMatchObject([{ stream: 's' }]);
    await Promise.all(logs.map((opened) => opened.close()));
  });

  test('of an earlier build, which recorded none, is refused', async () => {
    const log = await openEventLog(server.url);
    await log.append('s', [event()], { expectedRevision: 'no_stream' });
    await expect(log.checkFormat()).rejects.toThrow(/earlier build \(format unknown\)/);
    await log.close();
    await expect(openCheckedEventLog(server.url)).rejects.toThrow(EventLogSetupError);
  });
});
