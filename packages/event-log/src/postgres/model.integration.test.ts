import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@agent-trust/test-kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventIdConflictError, WrongExpectedRevisionError } from '../errors.ts';
import { type Expected, Store } from '../eventstoredb/test-server/store.ts';
import { openPostgresEventLog } from './event-log.ts';
import { migratePostgresEventLog } from './migrate.ts';

/*
 * Rule: for any sequence of appends, Postgres answers like EventStoreDB's index writer, whose rules `Store` has. One difference is intended:
 * where EventStoreDB would write an event id a second time, Postgres refuses.
 * Method: random appends of a few event ids to a stream, with every kind of expectation, side by side; to three streams at a time, which the
 * append queue sends as one batch.
 */
const ids = Array.from({ length: 6 }, () => 0);
const step = fc.record({
  expected: fc.oneof(fc.constantFrom<Expected>('any', 'no_stream', 'stream_exists'), fc.bigInt({ min: 0n, max: 5n })),
  ids: fc.uniqueArray(fc.nat({ max: ids.length - 1 }), { minLength: 1, maxLength: 3 }),
});

test('expected revisions and repeated ids have the same meaning as in EventStoreDB', async () => {
  const database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  const log = openPostgresEventLog(database.url);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, step, step), { minLength: 1, maxLength: 12 }), async (rounds) => {
      const lanes = [0, 1, 2].map(() => ({
        model: new Store(),
        stream: randomUUID(),
        eventIds: ids.map(() => randomUUID()),
      }));
      for (const round of rounds) {
        await Promise.all(
          round.map(async ({ expected, ids: picked }, lane) => {
            const { model, stream, eventIds } = lanes[lane] as (typeof lanes)[number];
            const proposed = picked.map((n) => ({
              id: eventIds[n] ?? '',
              metadata: new Map(),
              customMetadata: new Uint8Array(),
              data: new Uint8Array(),
            }));
            const events = proposed.map(({ id }) => ({ eventId: id, type: 'T', data: {}, metadata: {} }));
            const writesTwice =
              model.check(stream, expected, proposed) === 'write' &&
              proposed.some(({ id }) => model.stream(stream).some((event) => event.id === id));
            const actual = await log.append(stream, events, { expectedRevision: expected }).then(
              ({ revision }) => `at ${revision}`,
              (error: unknown) =>
                error instanceof WrongExpectedRevisionError || error instanceof EventIdConflictError
                  ? 'refused'
                  : error,
            );
            const decision = writesTwice ? null : model.append(stream, expected, proposed);
            const written = decision?.kind === 'ok' || decision?.kind === 'repeated';
            expect(actual).toBe(written ? `at ${decision.revision}` : 'refused');
            const recorded = await log.readStream(stream);
            expect(recorded.map((event) => event.eventId)).toEqual(model.stream(stream).map((event) => event.id));
          }),
        );
      }
    }),
    { numRuns: 150 },
  );
  await log.close();
  await database.drop();
});
