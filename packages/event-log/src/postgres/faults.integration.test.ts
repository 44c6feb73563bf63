import {
  createTestDatabase,
  type FaultProxy,
  faultProxy,
  openTestPool,
  type TestDatabase,
} from '@agent-trust/test-kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newEvent, newEvents, newStream } from '../contract-suite/subject.ts';
import {
  EventIdConflictError,
  EventLogSetupError,
  EventLogTimeoutError,
  EventLogUnavailableError,
  InvalidAppendError,
} from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { EventLog, RecordedEvent } from '../port.ts';
import { AppendQueue } from './append-queue.ts';
import { openPostgresEventLog } from './event-log.ts';
import { migratePostgresEventLog } from './migrate.ts';

let database: TestDatabase;
let proxy: FaultProxy;
let log: EventLog;

beforeAll(async () => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
});
afterAll(() => database.drop());
beforeEach(async () => {
  proxy = await faultProxy(database.url);
  log = openPostgresEventLog(proxy.url);
});
afterEach(async () => {
  proxy.resume();
  proxy.accept();
  await log.close();
  await proxy.close();
});

describe('with a connection that fails', () => {
  // Bug: a commit whose answer was lost is reported as failed, or repeated and written twice. Method: connections are reset repeatedly under
  // load; every append must still return once, and be written once.
  test('every append returns and is written once', async () => {
    const stream = newStream();
    const total = 300;
    let answered = 0;
    let cuts = 0;
    const writers = Array.from({ length: 10 }, async (_, writer) => {
      for (let n = 0; n < total / 10; n++) {
        const result = await log.append(`${stream}-${writer}`, [newEvent({ n })], {
          expectedRevision: n === 0 ? 'no_stream' : BigInt(n - 1),
        });
        expect(result.revision).toBe(BigInt(n));
        answered += 1;
        if (answered % 30 === 0) {
          cuts += 1;
          proxy.cut();
        }
      }
    });
    await Promise.all(writers);
    expect(cuts).toBe(10);
    for (let writer = 0; writer < 10; writer++) {
      const events = await log.readStream(`${stream}-${writer}`);
      expect(events.map((event) => event.data['n'])).toEqual(Array.from({ length: total / 10 }, (_, n) => n));
    }
  });

  test('an append to an unresponsive database ends at its deadline, outcome unknown; the log recovers', async () => {
    await log.append(newStream(), newEvents(1), { expectedRevision: 'any' });
    proxy.stall();
    const started = performance.now();
    await expect(log.append(newStream(), newEvents(1), { expectedRevision: 'any', deadlineMs: 200 })).rejects.toThrow(
      EventLogTimeoutError,
    );
    // Where none is given, it is this one.
    expect(performance.now() - started).toBeLessThan(eventLogLimits.appendDeadlineMs);
    proxy.resume();
    await log.append(newStream(), newEvents(1), { expectedRevision: 'any' });
  });

  test('an append without a reachable database is unavailable: nothing was written', async () => {
    proxy.refuse();
    await expect(log.append(newStream(), newEvents(1), { expectedRevision: 'any', deadlineMs: 300 })).rejects.toThrow(
      EventLogUnavailableError,
    );
    await expect(log.readStream('s')).rejects.toThrow(EventLogUnavailableError);
    proxy.accept();
    await log.append(newStream(), newEvents(1), { expectedRevision: 'any' });
  });

  test('a read is repeated on a new connection if connections broke while idle', async () => {
    const stream = newStream();
    await log.append(stream, newEvents(1), { expectedRevision: 'any' });
    expect(await log.readStream(stream)).toHaveLength(1);
    proxy.cut();
    expect(await log.readStream(stream)).toHaveLength(1);
  });

  test('a subscription survives a temporarily unreachable database', async () => {
    const after = await log.headPosition();
    const direct = openPostgresEventLog(database.url);
    const seen: RecordedEvent[] = [];
    await direct.append(newStream(), newEvents(2), { expectedRevision: 'any' });
    for await (const batch of log.subscribeToAll({ after })) {
      seen.push(...batch);
      if (seen.length >= 5) break;
      proxy.refuse();
      proxy.cut();
      await direct.append(newStream(), newEvents(3), { expectedRevision: 'any' });
      proxy.accept();
    }
    expect(seen.map((event) => event.data['n'])).toEqual([0, 1, 0, 1, 2]);
    await direct.close();
  });

  test('closing does not wait for an unresponsive database', async () => {
    const mute = openPostgresEventLog(proxy.url);
    const subscription = mute.subscribeToAll({ after: null });
    const first = subscription[Symbol.asyncIterator]().next();
    await mute.append(newStream(), newEvents(1), { expectedRevision: 'any' });
    await first;
    proxy.stall();
    const next = subscription[Symbol.asyncIterator]().next();
    await subscription.close();
    expect(await next).toMatchObject({ done: true });
    proxy.resume();
    await mute.close();
  });
});

describe('a batch', () => {
  // Bug: one append that the database rejects fails all others of its round trip. Method: bypass the checks at the edge, straight into the
  // queue, with faults that only the server detects.
  test('is not spoiled by an append that the database rejects', async () => {
    const pool = openTestPool({ connectionString: database.url, max: 1 });
    const queue = new AppendQueue(pool);
    const stream = newStream();
    const append = (name: string, type: string, data: string): Promise<unknown> => {
      const { eventId } = newEvent();
      return queue.append(
        { stream: `${stream}-${name}`, events: [{ eventId, type, data, metadata: '{}' }], bytes: data.length },
        'any',
        5_000,
      );
    };
    const outcomes = await Promise.allSettled([
      append('a', 'T', '{}'),
      append('b', 'T\u0000', '{}'),
      append('c', 'T', '{'),
      append('d', 'T', `${'['.repeat(200_000)}${']'.repeat(200_000)}`),
      append('e', 'T', '{}'),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    for (const outcome of [outcomes[1], outcomes[2], outcomes[3]]) {
      expect(outcome).toMatchObject({ reason: expect.any(InvalidAppendError) as unknown });
    }
    await queue.close();
    await pool.end();
  });

  test('keeps a separate outcome for each of many concurrent appends', async () => {
    const stream = newStream();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 600 }, (_, n) =>
        log.append(`${stream}-${n % 300}`, [newEvent({ n })], { expectedRevision: 'no_stream' }),
      ),
    );
    expect(outcomes.slice(0, 300).every((outcome) => outcome.status === 'fulfilled')).toBe(true);
    expect(outcomes.slice(300).every((outcome) => outcome.status === 'rejected')).toBe(true);
  });

  test('refuses an event id that another stream has', async () => {
    const [event] = newEvents(1);
    const [one, two] = [newStream(), newStream()];
    await log.append(one, event === undefined ? [] : [event], { expectedRevision: 'any' });
    await expect(
      log.append(two, event === undefined ? [] : [event], { expectedRevision: 'no_stream' }),
    ).rejects.toThrow(EventIdConflictError);
    expect(await log.readStream(two)).toEqual([]);
  });

  test('refuses appends beyond the limit as unavailable', async () => {
    proxy.stall();
    const waiting = Array.from({ length: 10_500 }, (_, n) =>
      log.append(`s-${n}`, [newEvent()], { expectedRevision: 'any', deadlineMs: 500 }),
    );
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toEqual([]);
    const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : ''));
    expect(reasons.filter((reason) => reason.includes('are waiting already')).length).toBeGreaterThan(0);
  });
});

describe('a database without the event log', () => {
  test('is reported as a fault of the installation, not retried', async () => {
    const empty = await createTestDatabase();
    const other = openPostgresEventLog(empty.url);
    await expect(other.append('s', newEvents(1), { expectedRevision: 'any' })).rejects.toThrow(EventLogSetupError);
    await expect(other.readStream('s')).rejects.toThrow(EventLogSetupError);
    await expect(other.subscribeToAll({ after: null })[Symbol.asyncIterator]().next()).rejects.toThrow(
      EventLogSetupError,
    );
    await other.close();
    await empty.drop();
  });
});
