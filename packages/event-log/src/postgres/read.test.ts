import { expect, it } from 'vitest';
import { eventLogLimits } from '../limits.ts';
import { readAll, readStream } from './read.ts';

type Querier = Parameters<typeof readStream>[0];

/** Answers with pages of so many events, each `found` in the database, and counts the questions. */
const serving = (...pages: { rows: number; found: number }[]): { querier: Querier; asked: () => number } => {
  let asked = 0;
  let next = 0;
  const query = () => {
    const page = pages[asked] ?? { rows: 0, found: 0 };
    asked += 1;
    const rows = Array.from({ length: page.rows }, () => {
      const place = String(next++);
      return [place, 'id', 'stream', place, 'Type', '{}', '{}', '0', String(page.found)];
    });
    return Promise.resolve({ rows });
  };
  return { querier: { query } as unknown as Querier, asked: () => asked };
};
const full = eventLogLimits.readPageEventsMax;

it.each([
  ['an empty stream', [{ rows: 0, found: 0 }], 1, 0],
  ['a short stream', [{ rows: 3, found: 3 }], 1, 3],
  [
    'a page cut short by its bytes',
    [
      { rows: 3, found: 5 },
      { rows: 2, found: 2 },
    ],
    2,
    5,
  ],
  [
    'a full page',
    [
      { rows: full, found: full },
      { rows: 0, found: 0 },
    ],
    2,
    full,
  ],
  [
    'a full page with more behind it',
    [
      { rows: full, found: full },
      { rows: 1, found: 1 },
    ],
    2,
    full + 1,
  ],
])('%s takes no more statements than it has pages', async (_what, pages, statements, events) => {
  const stream = serving(...pages);
  expect(await readStream(stream.querier, 's', {})).toHaveLength(events);
  expect(stream.asked()).toBe(statements);
  const log = serving(...pages);
  expect(await readAll(log.querier, 0n, Number.MAX_SAFE_INTEGER)).toHaveLength(events);
  expect(log.asked()).toBe(statements);
});
