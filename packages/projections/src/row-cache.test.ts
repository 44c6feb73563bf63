import { describe, expect, it } from 'vitest';
import { RowCache } from './row-cache.ts';
import { anyTable, defineTable } from './table.ts';

type Row = { id: string; owner: string; due: number };
const table = anyTable(
  defineTable<Row>({
    name: 't',
    columns: { id: 'text', owner: 'text', due: 'double precision' },
    key: ['id'],
    range: { group: 'owner', order: 'due' },
  }),
);
const row = (id: string, owner = 'o', due = 0): Row => ({ id, owner, due });

describe('a row cache', () => {
  it('forgets what was not asked for since, and never holds more than its limit', () => {
    const cache = new RowCache({ rowsPerTableMax: 4 });
    for (let n = 0; n < 100; n += 1) {
      cache.set(table, `k${n}`, row(`k${n}`));
      cache.get(table, 'k0');
    }
    const held = Array.from({ length: 100 }, (_, n) => cache.get(table, `k${n}`)).filter(
      (found) => found !== undefined,
    );
    expect(held.length).toBeLessThanOrEqual(4);
    expect(cache.get(table, 'k50')).toBeUndefined();
  });

  it('tells a key that has no row from one it does not know', () => {
    const cache = new RowCache({ rowsPerTableMax: 10 });
    cache.set(table, 'gone', null);
    expect([cache.get(table, 'gone'), cache.get(table, 'other')]).toEqual([null, undefined]);
  });

  it('is complete from an empty start until it forgets the first row', () => {
    const cache = new RowCache({ rowsPerTableMax: 4, startsComplete: true });
    cache.set(table, 'a', row('a'));
    expect(cache.isComplete(table)).toBe(true);
    for (let n = 0; n < 4; n += 1) cache.set(table, `k${n}`, row(`k${n}`));
    expect(cache.isComplete(table)).toBe(false);
    expect(cache.selectRange(table, 'o', 1)).toBeNull();
    expect(new RowCache({ rowsPerTableMax: 4 }).isComplete(table)).toBe(false);
  });

  it('answers for a group as long as it is complete, with rows as they are now', () => {
    const cache = new RowCache({ rowsPerTableMax: 100, startsComplete: true });
    cache.set(table, 'late', row('late', 'o', 5));
    cache.set(table, 'early', row('early', 'o', 1));
    cache.set(table, 'other', row('other', 'p', 1));
    cache.set(table, 'deleted', row('deleted', 'o', 1));
    cache.set(table, 'deleted', null);
    const due = (upTo: number) => cache.selectRange(table, 'o', upTo)?.map(({ key }) => key);
    expect([due(0), due(1), due(9)]).toEqual([[], ['early'], ['early', 'late']]);
    cache.set(table, 'early', row('early', 'o', 7));
    expect([due(1), due(6), due(7)]).toEqual([[], ['late'], ['late', 'early']]);
    cache.set(table, 'late', row('late', 'p', 5));
    expect(due(9)).toEqual(['early']);
  });
});
