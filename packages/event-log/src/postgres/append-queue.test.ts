import type pg from 'pg';
import { expect, test } from 'vitest';
import { AppendQueue } from './append-queue.ts';

/*
 * Rule: a batch has each stream and each event id once, and the appends of a stream keep their order.
 * Bug: a batch that breaks it is refused by the database and then sent one by one, so that only the time shows it.
 * Method: a pool that records what it is sent and answers that all was appended.
 */
const recordingPool = () => {
  const batches: { streams: string[]; eventIds: string[] }[] = [];
  const client = {
    query: ({ values }: { values: [string[], string[], number[], string[]] }) => {
      const [streams, , , eventIds] = values;
      batches.push({ streams, eventIds });
      return Promise.resolve({ rows: streams.map(() => ['appended', '0', '1']) });
    },
    release: () => undefined,
  };
  return { batches, pool: { connect: () => Promise.resolve(client) } as unknown as pg.Pool };
};

test('a batch has one append of each stream, the oldest, and each event id once', async () => {
  const { batches, pool } = recordingPool();
  const queue = new AppendQueue(pool);
  const append = (stream: string, eventId: string) =>
    queue.append({ stream, events: [{ eventId, type: 'T', data: '{}', metadata: '{}' }], bytes: 10 }, 'any', 60_000);
  await Promise.all([append('a', '1'), append('a', '2'), append('b', '1'), append('c', '3'), append('a', '4')]);
  expect(batches).toEqual([
    { streams: ['a', 'c'], eventIds: ['1', '3'] },
    { streams: ['b', 'a'], eventIds: ['1', '2'] },
    { streams: ['a'], eventIds: ['4'] },
  ]);
  await queue.close();
});
