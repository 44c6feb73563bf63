import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newEvent } from '../contract-suite/subject.ts';
import { EventLogSetupError } from '../errors.ts';
import type { RecordedEvent } from '../port.ts';
import { openPostgresEventLog } from './event-log.ts';
import { grantEventLogAccess, migratePostgresEventLog } from './migrate.ts';
import { openPostgresRetention } from './retention.ts';

/*
 * Bug: somebody else than the user of retention removes an event, or that user one that is no archived exchange.
 * Method: a role of each kind on one log, and the owner, who may do everything but by mistake.
 */
let database: TestDatabase;
const roles = ['writer', 'reader', 'retention'].map((kind) => `${kind}_${randomUUID().slice(0, 8)}`);
const urlOf = (role: string): string => {
  const url = new URL(database.url);
  url.username = role;
  url.password = 'secret';
  return url.href;
};
const asOwner = async (sql: string): Promise<unknown> => {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
};

beforeAll(async () => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  for (const role of roles) await asOwner(`create role ${role} login password 'secret'`);
  const [writer = '', reader = '', retention = ''] = roles;
  await grantEventLogAccess(database.url, { writers: [writer], readers: [reader], retention: [retention] });
});
afterAll(async () => {
  for (const role of roles) await asOwner(`drop owned by ${role}; drop role ${role}`);
  await database.drop();
});

const archived = async (): Promise<{
  stream: string;
  event: RecordedEvent;
  record: { recordPosition: bigint; positions: bigint[] };
}> => {
  const log = openPostgresEventLog(database.url);
  try {
    const stream = `exchange-${randomUUID()}`;
    const { position } = await log.append(stream, [{ ...newEvent(), type: 'ExchangeStarted' }], {
      expectedRevision: 'any',
    });
    const positionsSha256 = createHash('sha256').update(String(position)).digest('hex');
    const said = { ...newEvent({ positionsSha256 }), type: 'ExchangesArchived' };
    const { position: recordPosition } = await log.append('log-archive', [said], { expectedRevision: 'any' });
    const [event] = await log.readAt([position]);
    if (event === undefined) throw new Error('the event is missing');
    return { stream, event, record: { recordPosition, positions: [position] } };
  } finally {
    await log.close();
  }
};

describe('what leaves the log', () => {
  test('leaves it by the user of retention alone', async () => {
    const { stream, event, record } = await archived();
    const [writer = '', reader = '', retention = ''] = roles;
    for (const role of [writer, reader]) {
      const refused = openPostgresRetention(urlOf(role));
      await expect(refused.remove(record, [stream])).rejects.toThrow(EventLogSetupError);
      await expect(refused.restore(record, [event])).rejects.toThrow(EventLogSetupError);
      await refused.close();
    }
    const allowed = openPostgresRetention(urlOf(retention));
    expect(await allowed.remove(record, [stream])).toBe(1);
    await allowed.close();
  });

  test.each(roles.map((_, index) => index))('role %i has no other way to change an event', async (index) => {
    const client = new pg.Client(urlOf(roles[index] ?? ''));
    await client.connect();
    await client.query(`set event_log.removes_archived = 'on'`);
    for (const sql of [
      'delete from event_log.events',
      `update event_log.events set type = 'x'`,
      'truncate event_log.events',
      'alter table event_log.events disable trigger all',
      `select event_log.ensure_archived(1, array[1])`,
    ])
      await expect(client.query(sql)).rejects.toThrow(/permission denied|must be owner/u);
    await client.end();
  });

  test('is never another event than those of an exchange, also for the owner', async () => {
    await archived();
    await expect(asOwner('delete from event_log.events')).rejects.toThrow(/append-only/u);
    await expect(asOwner(`update event_log.events set type = 'x'`)).rejects.toThrow(/append-only/u);
    await expect(
      asOwner(`set event_log.removes_archived = 'on'; delete from event_log.events where stream = 'log-archive'`),
    ).rejects.toThrow(/only events of archived exchanges/u);
    await expect(asOwner(`set event_log.removes_archived = 'on'; truncate event_log.events`)).rejects.toThrow(
      /append-only/u,
    );
  });
});
