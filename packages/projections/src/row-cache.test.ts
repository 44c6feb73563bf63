import { describe, expect, it } from 'vitest';
import { RowCache } from './row-cache.ts';
import { defineTable } from './table.ts';

type Row = { id: string };
const table = defineTable({
  name: 't',
  columns: { id: 'text' },
  key: ['id'],
});
const row = (id: string): Row => ({ id });

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
});
