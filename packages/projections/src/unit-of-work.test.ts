import { describe, expect, it } from 'vitest';
import type { ProjectedEvent, Projection } from './projection.ts';
import { RowCache } from './row-cache.ts';
import { defineTable } from './table.ts';
import { UnitOfWork } from './unit-of-work.ts';

const counters = defineTable({
  name: 'counter',
  columns: { name: 'text', count: 'integer' },
  key: ['name'],
});

const noDatabase = (): Promise<never> => Promise.reject(new Error('everything is in the cache'));

const counted = (name: string, position: bigint): ProjectedEvent & { name: string } => ({
  name,
  type: 'Counted',
  eventId: String(position),
  stream: name,
  revision: 0n,
  position,
  recordedAt: new Date(0),
});

type Counted = ReturnType<typeof counted>;

const counting: Projection<Counted> = {
  name: 'counting',
  schema: new URL('file:///none.sql'),
  tables: [counters],
  reads: (event, wanted) => wanted.row(counters, event.name),
  apply: ({ name }, rows) => rows.put(counters, { name, count: (rows.get(counters, name)?.count ?? 0) + 1 }),
};

const twice: Projection<Counted> = { ...counting, name: 'twice' };

const seenBy = async (projections: readonly Projection<Counted>[], events: readonly Counted[]): Promise<unknown[]> => {
  const seen: unknown[] = [];
  const onlooker: Projection<Counted> = {
    name: 'onlooker',
    schema: new URL('file:///none.sql'),
    tables: [],
    reads: () => undefined,
    apply: ({ name }, rows) => void seen.push([rows.getBefore(counters, name)?.count, rows.get(counters, name)?.count]),
  };
  const cache = new RowCache({ rowsPerTableMax: 100 });
  for (const name of ['a', 'b']) cache.set(counters, name, null);
  const unit = new UnitOfWork(cache);
  await unit.load(noDatabase, events, [...projections, onlooker]);
  unit.apply(events, [...projections, onlooker]);
  return seen;
};

describe('rows', () => {
  it('show a later projection the row before and after the present event', async () => {
    expect(await seenBy([counting], [counted('a', 1n), counted('a', 2n), counted('b', 3n)])).toEqual([
      [undefined, 1],
      [1, 2],
      [undefined, 1],
    ]);
  });

  it('are as before the event however often it changes them, and the same when it does not', async () => {
    expect(await seenBy([counting, twice], [counted('a', 1n), counted('a', 2n)])).toEqual([
      [undefined, 2],
      [2, 4],
    ]);
    const reader: Projection<Counted> = { ...counting, apply: () => undefined };
    expect(await seenBy([reader], [counted('a', 1n)])).toEqual([[undefined, undefined]]);
  });

  it('that nobody declared wanted cannot be read', async () => {
    await expect(seenBy([], [counted('a', 1n)])).rejects.toThrow('was not declared wanted');
  });
});
