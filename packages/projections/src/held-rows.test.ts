import type { ClientBase } from 'pg';
import { describe, expect, it } from 'vitest';
import { HeldRows } from './held-rows.ts';
import type { ProjectedEvent, Projection } from './projection.ts';
import { defineTable } from './table.ts';

const counters = defineTable({
  name: 'counter',
  columns: { name: 'text', count: 'integer' },
  key: ['name'],
});

/** A database without rows that records the requested keys. */
const emptyDatabase = (requestedKeys: string[] = []): ClientBase =>
  ({
    query: ({ values: [keys] }: { values: [string] }) => {
      requestedKeys.push(...(JSON.parse(keys) as { name: string }[]).map(({ name }) => name));
      return Promise.resolve({ rows: [] });
    },
  }) as unknown as ClientBase;

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
  const rows = new HeldRows({ rowsPerTableMax: 100, storedKeysBytes: null });
  await rows.load(emptyDatabase(), events, [...projections, onlooker]);
  await rows.apply(emptyDatabase(), events, [...projections, onlooker]);
  return seen;
};

describe('rows', () => {
  it('show a later projection the row before and after the current event', async () => {
    expect(await seenBy([counting], [counted('a', 1n), counted('a', 2n), counted('b', 3n)])).toEqual([
      [undefined, 1],
      [1, 2],
      [undefined, 1],
    ]);
  });

  it('before an event are the same however often it changes them, and equal those after it without a change', async () => {
    expect(await seenBy([counting, twice], [counted('a', 1n), counted('a', 2n)])).toEqual([
      [undefined, 2],
      [2, 4],
    ]);
    const reader: Projection<Counted> = { ...counting, apply: () => undefined };
    expect(await seenBy([reader], [counted('a', 1n)])).toEqual([[undefined, undefined]]);
  });

  it('that nobody requested cannot be read', async () => {
    await expect(seenBy([], [counted('a', 1n)])).rejects.toThrow('was not declared wanted');
  });

  it('are loaded just before an event that needs them after the ones before it, all that it names at one time', async () => {
    const requestedKeys: string[] = [];
    const database = emptyDatabase(requestedKeys);
    const calls: string[] = [];
    // Each event counts for the name that is as long as the count of its own.
    const following: Projection<Counted> = {
      ...counting,
      readsLast: ({ name }, last) => {
        calls.push(name);
        const own = last.get(counters, name)?.count ?? 0;
        last.row(counters, 'x'.repeat(own + 1));
        last.row(counters, 'y'.repeat(own + 1));
        last.get(counters, 'x'.repeat(own + 1));
      },
      apply: (event, held) => {
        counting.apply(event, held);
        counting.apply(counted('x'.repeat(held.get(counters, event.name)?.count ?? 0), event.position), held);
      },
    };
    const rows = new HeldRows({ rowsPerTableMax: 100, storedKeysBytes: null });
    const events = [counted('a', 1n), counted('a', 2n)];
    await rows.load(database, events, [following]);
    await rows.apply(database, events, [following]);
    expect(requestedKeys).toEqual(['a', 'x', 'y', 'xx', 'yy']);
    expect(calls).toEqual(['a', 'a', 'a', 'a']);
    const endless: Projection<Counted> = {
      ...counting,
      readsLast: (_, last) => last.row(counters, crypto.randomUUID()),
    };
    await expect(rows.apply(database, events, [endless])).rejects.toThrow('it asks for rows after');
  });

  it('leave memory if others need the room, unless they are still requested', async () => {
    const requestedKeys: string[] = [];
    const rows = new HeldRows({ rowsPerTableMax: 4, storedKeysBytes: null });
    for (let n = 0; n < 100; n += 1) {
      const events = [counted('often', 1n), counted(`k${n}`, 1n)];
      await rows.load(emptyDatabase(requestedKeys), events, [counting]);
      await rows.apply(emptyDatabase(requestedKeys), events, [counting]);
      rows.take(true, 0);
      rows.take(false, Number.POSITIVE_INFINITY);
    }
    expect(requestedKeys.filter((name) => name === 'often')).toHaveLength(1);
    await rows.load(emptyDatabase(requestedKeys), [counted('k50', 1n)], [counting]);
    expect(requestedKeys.filter((name) => name === 'k50')).toHaveLength(2);
  });

  it('of an initially empty schema are read from the database only after they left memory', async () => {
    const requestedKeys: string[] = [];
    const rows = new HeldRows({ rowsPerTableMax: 4, storedKeysBytes: 2 ** 16 });
    const load = async (name: string): Promise<void> => {
      await rows.load(emptyDatabase(requestedKeys), [counted(name, 1n)], [counting]);
      await rows.apply(emptyDatabase(requestedKeys), [counted(name, 1n)], [counting]);
      rows.take(false, 1);
    };
    for (let n = 0; n < 100; n += 1) await load(`k${n}`);
    expect(requestedKeys).toEqual([]);
    await load('k5');
    expect(requestedKeys).toEqual(['k5']);
  });
});
