import { type EventLog, migratePostgresEventLog, openEventLog, type RecordedEvent } from '@agent-trust/event-log';
import { BatchWriter, createSchema, openWriterSession, readCheckpoint } from '@agent-trust/projections';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readModelSchema } from '../shared/database.ts';
import { appendHistory, makeHistory } from '../testing/made-history.ts';
import { registryReadModel } from './read-models/registry-read-model.ts';

/*
 * Rule: what a batch of the live projection costs in statements depends on the tables that it changes, not on its events.
 * Bug: a projection asks for rows one by one, or for rows that the projector has in memory; only the time shows it.
 * Method: count what a writer's connection is sent, batch by batch, over a history of all types of events.
 */
/** All reads of tables that projections make in this history: 16 by key, and 2 each of organisation_member and trust_pair by range. */
const loadsMax = 20;
/** A batch with deletes takes BEGIN, the fence, up to two statements for each table, and COMMIT. */
const rewritesMax = 40;
/** A pair's first review loads the most. */
const oneEventMax = 6;

let database: TestDatabase;
let log: EventLog;
let client: Client;
let events: RecordedEvent[];
let sent: string[] = [];

const writerOf = async (): Promise<BatchWriter<never>> =>
  new BatchWriter({
    client: new Proxy(client, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        const call = value.bind(target) as (...given: unknown[]) => unknown;
        if (name !== 'query') return call;
        return (query: string | { name?: string; text: string }) => {
          sent.push(typeof query === 'string' ? query : (query.name ?? query.text));
          return call(query);
        };
      },
    }),
    schema: readModelSchema,
    readModel: (await registryReadModel()) as never,
    rowsPerTableMax: 50_000,
    checkpoint: await readCheckpoint(client, readModelSchema),
  });

const statementsOf = async (writer: BatchWriter<never>, batch: readonly RecordedEvent[]): Promise<string[]> => {
  sent = [];
  await writer.write(batch);
  return sent;
};
const loads = (statements: readonly string[]): string[] =>
  statements.filter((statement) => /^(?:load|range|next):/u.test(statement));

beforeAll(async () => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  log = await openEventLog(database.url);
  client = await openWriterSession({ connectionString: database.url }, readModelSchema);
  await createSchema(client, readModelSchema, (await registryReadModel()).schema);
  // Voided reviews are rare, and make batches of their own.
  const history = makeHistory({ agents: 60, exchanges: 600, changes: 200, seed: 4 });
  await appendHistory(
    log,
    history.filter(({ event }) => event.type !== 'ReviewsVoided'),
  );
  events = await log.readAll({ after: null, countMax: 10_000 });
});
afterAll(async () => {
  await client.end();
  await log.close();
  await database.drop();
});

describe('a batch of the live projection', () => {
  it('is one statement, and one for each table whose rows are not in memory', async () => {
    const writer = await writerOf();
    const batches = [events.slice(0, 400), events.slice(400, 1_400)];
    for (const batch of batches) {
      const statements = await statementsOf(writer, batch);
      expect(new Set(loads(statements)).size).toBe(loads(statements).length);
      expect(loads(statements).length).toBeLessThanOrEqual(loadsMax);
      expect(statements.length - loads(statements).length).toBeLessThanOrEqual(rewritesMax);
    }
    const alone: { type: string; statements: string[] }[] = [];
    for (const event of events.slice(1_400)) {
      alone.push({ type: event.type, statements: await statementsOf(writer, [event]) });
    }
    const isDelete = (statement: string): boolean => statement.startsWith('delete:');
    const written = alone.filter(({ statements }) => !statements.some(isDelete));
    expect(written.length).toBeGreaterThan(alone.length / 2);
    expect(written.filter(({ statements }) => statements.length - loads(statements).length !== 1)).toEqual([]);
    expect(written.filter(({ statements }) => statements.length > oneEventMax)).toEqual([]);
    // There is nothing of a new agent to look for: only how many there are in its universe, and whether its capabilities are known there.
    const registrations = alone.filter(({ type }) => type === 'AgentRegistered');
    expect(registrations.length).toBeGreaterThan(0);
    const loaded = new Set(registrations.flatMap(({ statements }) => loads(statements)));
    expect(loaded.difference(new Set(['load:registry_size', 'load:learned_capability']))).toEqual(new Set());
    // Whatever an event of an exchange changes is in memory, except a pair's first review.
    const exchanges = alone.filter(({ type }) => /^Exchange(?:Started|Completed|Failed|Abandoned)$/u.test(type));
    expect(exchanges.length).toBeGreaterThan(100);
    expect(exchanges.filter(({ statements }) => statements.length > 1)).toEqual([]);
  });
});
