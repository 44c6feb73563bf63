import { expect, test } from 'vitest';
import { projectionLimits } from './limits.ts';
import { defineTable } from './table.ts';
import { rowStatements } from './row-sql.ts';

const things = defineTable({ name: 'thing', columns: { id: 'integer', name: 'text' }, key: ['id'] });
const rows = (count: number, from = 0): { id: number; name: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: from + index, name: 'x' }));

// Bug: all rows of a table in memory form one statement, which becomes too long if rows are large.
test('no statement has more rows than its limit, and each row is written once', () => {
  const max = projectionLimits.rowsPerStatementMax;
  const writes = { deletes: [['-1']], upserts: rows(2 * max + 1), copies: rows(max + 3, 1_000_000) };
  const sent = rowStatements(new Map([[things, writes]])).map(({ name, values }) => ({
    name,
    ids: (JSON.parse(String(values?.[0])) as { id: number | string }[]).map(({ id }) => id),
  }));
  expect(sent.map(({ name, ids }) => [name, ids.length])).toEqual([
    ['delete:thing', 1],
    ['upsert:thing', max],
    ['upsert:thing', max],
    ['upsert:thing', 1],
    ['insert:thing', max],
    ['insert:thing', 3],
  ]);
  expect(sent.flatMap(({ ids }) => ids)).toEqual(['-1', ...[...writes.upserts, ...writes.copies].map(({ id }) => id)]);
});
