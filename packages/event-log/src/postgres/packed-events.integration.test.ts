import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newEvent, newStream } from '../contract-suite/subject.ts';
import type { EventLog } from '../port.ts';
import { openPostgresEventLog } from './event-log.ts';
import { migratePostgresEventLog } from './migrate.ts';

let log: EventLog;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  log = openPostgresEventLog(database.url);
});
afterAll(async () => {
  await log.close();
  await database.drop();
});

/** What follows a position, of at most 100 events. */
const after = async (position: bigint | null) => ({
  plain: await log.readAll({ after: position, countMax: 100 }),
  packed: [...(await log.readPacked({ after: position, countMax: 100 })).unpack()],
});

it('a packed page ends before it has too many bytes', async () => {
  const head = await log.headPosition();
  // Random, because the limit is about bytes as they are stored: compressed.
  const incompressible = randomBytes(350_000).toString('hex');
  for (let n = 0; n < 14; n++)
    await log.append(newStream(), [newEvent({ incompressible })], { expectedRevision: 'any' });
  const { plain, packed } = await after(head);
  expect(plain).toHaveLength(14);
  expect(packed.length).toBeLessThan(14);
  expect(packed).toEqual(plain.slice(0, packed.length));
  expect((await after(packed.at(-1)?.position ?? null)).packed).toEqual(plain.slice(packed.length));
});

it('a packed event has its time, before and after the epoch of Postgres', async () => {
  const head = await log.headPosition();
  const times = [
    '1969-12-31T23:59:59.999Z',
    '1999-12-31T23:59:59.999Z',
    '2000-01-01T00:00:00.000Z',
    '2201-02-03T04:05:06.789Z',
  ];
  const client = new pg.Client(database.url);
  await client.connect();
  // Without the trigger that refuses changes.
  await client.query('SET session_replication_role TO replica');
  for (const time of times) {
    const { position } = await log.append(newStream(), [newEvent()], { expectedRevision: 'any' });
    await client.query('UPDATE event_log.events SET recorded_at = $1 WHERE position = $2', [time, position]);
  }
  await client.end();
  const { plain, packed } = await after(head);
  expect(packed.map(({ recordedAt }) => recordedAt.toISOString())).toEqual(times);
  expect(packed).toEqual(plain);
});

it('a packed page gives the events of one type', async () => {
  const head = await log.headPosition();
  const types = ['Noted', 'NotedToo', 'Noted', 'Not', 'Noté'];
  for (const type of types) await log.append(newStream(), [{ ...newEvent(), type }], { expectedRevision: 'any' });
  const page = await log.readPacked({ after: head, countMax: 100 });
  const all = [...page.unpack()];
  expect(all.map(({ type }) => type)).toEqual(types);
  for (const type of [...types, 'Unknown'])
    expect([...page.unpack(type)]).toEqual(all.filter((event) => event.type === type));
});
