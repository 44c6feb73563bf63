import { describe, expect, it } from 'vitest';
import type { ProjectedEvent, Projection, Wanted } from './projection.ts';
import { defineTable } from './table.ts';
import { askFor, tablesReadBy } from './each-event.ts';

const tableNamed = (name: string) =>
  defineTable({ name, columns: { id: 'text', group: 'text', due: 'integer' }, key: ['id'] });
const [own, named, other] = [tableNamed('own'), tableNamed('named'), tableNamed('other')];
const projection: Projection<ProjectedEvent> = {
  name: 'accounts',
  schema: new URL('file:///none.sql'),
  tables: [own],
  readsFrom: [named],
  reads: () => undefined,
  apply: () => undefined,
};

describe('the rows that a projection requests', () => {
  it('are of tables that it owns or names', () => {
    const taken: unknown[] = [];
    const collector: Wanted = {
      row: (table, ...key) => void taken.push([table.name, ...key]),
      range: (table, group, upTo) => void taken.push([table.name, group, upTo]),
    };
    const { wanted } = askFor(projection, collector);
    wanted.row(own, 'a');
    wanted.range(named, 'g', 5);
    expect(taken).toEqual([
      ['own', 'a'],
      ['named', 'g', 5],
    ]);
    expect(() => wanted.row(other, 'a')).toThrow('accounts does not say that it reads other');
    expect(() => wanted.range(other, 'g', 5)).toThrow('accounts does not say that it reads other');
    expect(taken).toHaveLength(2);
  });

  it('are of its own tables alone if it names no others', () => {
    const { readsFrom: _, ...alone } = projection;
    expect(tablesReadBy(alone)).toEqual([own]);
    expect(tablesReadBy(projection)).toEqual([own, named]);
  });
});
