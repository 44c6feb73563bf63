/**
 * Bugs: a registry that has run before changes its policy with an update; a new one begins with none or with two activations, because several
 * instances start at once or one dies between two appends. Method: real logs, and instances with log clients of their own.
 */
import { trustPolicyStream } from '@agent-trust/contracts';
import {
  type EventLog,
  EventLogUnavailableError,
  migratePostgresEventLog,
  openEventLog,
  type RecordedEvent,
} from '@agent-trust/event-log';
import { loadTaxonomy } from '@agent-trust/taxonomy';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import { policyV2 } from '@agent-trust/trust-policy';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { activateFirstPolicy, untilFirstPolicy } from './first-policy.ts';
import { publishTaxonomy } from './publish-taxonomy.ts';

let database: TestDatabase;
let log: EventLog;
const now = (): Date => new Date('2026-01-02T03:04:05.678Z');
const begin = (through: EventLog = log): Promise<boolean> => activateFirstPolicy({ log: through, now }, policyV2);
const allEvents = (): Promise<RecordedEvent[]> => log.readAll({ after: null, countMax: 1_000 });
const silent = { info: () => undefined, warn: () => undefined } as unknown as Parameters<
  typeof untilFirstPolicy
>[1]['logger'];

beforeEach(async () => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  log = await openEventLog(database.url);
});
afterEach(async () => {
  await log.close();
  await database.drop();
});

it('begins an empty log with the policy, once', async () => {
  expect(await begin()).toBe(true);
  expect(await begin()).toBe(false);
  const events = await allEvents();
  expect(events.map(({ type, stream, data }) => [type, stream, data])).toEqual([
    [
      'TrustPolicyActivated',
      trustPolicyStream,
      { policy: policyV2, previousPolicy: 'v1', activatedAt: '2026-01-02T03:04:05.678Z' },
    ],
  ]);
});

it('leaves a log alone that has any event', async () => {
  const [first] = await loadTaxonomy();
  await publishTaxonomy({ log, now }, first === undefined ? [] : [first]);
  expect(await begin()).toBe(false);
  expect((await allEvents()).map(({ type }) => type)).toEqual(['CapabilityDefined']);
});

it('writes one event, however many instances start at once', async () => {
  const logs = await Promise.all(Array.from({ length: 8 }, () => openEventLog(database.url)));
  const outcomes = await Promise.all(logs.map(begin));
  await Promise.all(logs.map((each) => each.close()));
  expect(outcomes.filter(Boolean)).toHaveLength(1);
  expect(await allEvents()).toHaveLength(1);
});

it('tries again until the log may be written, and is not fooled by an append whose answer was lost', async () => {
  let appends = 0;
  const failing: EventLog = {
    ...log,
    append: async (...asked) => {
      appends += 1;
      if (appends === 1) throw new EventLogUnavailableError('trust-projection has not answered yet');
      const result = await log.append(...asked);
      if (appends === 2) throw new EventLogUnavailableError('the answer is lost');
      return result;
    },
  };
  await untilFirstPolicy(() => begin(failing), { logger: silent, stopping: new AbortController().signal });
  expect(appends).toBeGreaterThan(1);
  expect(await allEvents()).toHaveLength(1);
});

it('ends when the service stops', async () => {
  const stopping = new AbortController();
  const ended = untilFirstPolicy(
    () => {
      stopping.abort();
      return Promise.reject(new EventLogUnavailableError('down'));
    },
    { logger: silent, stopping: stopping.signal },
  );
  await ended;
  expect(await allEvents()).toEqual([]);
});
