import type { Rows } from '../projection.ts';
import { type AnyTable, keyText, rowKey } from '../table.ts';

type Row = Record<string, unknown>;

/** The rows of read models in plain maps, without a database. */
export type MapRows = {
  rows: Rows;
  /** The rows of each table, by key. */
  tables: ReadonlyMap<AnyTable, ReadonlyMap<string, Row>>;
  /** Begins an event: what is there now is what `getBefore` answers until the next one begins. */
  beginEvent: () => void;
};

/** Empty rows, which projections change as they do those of a database; without the loading, caching and writing of the real ones, whose oracle they are. */
export function mapRows(): MapRows {
  const tables = new Map<AnyTable, Map<string, Row>>();
  /** The rows that the present event has changed, as they were before it. */
  const before = new Map<AnyTable, Map<string, Row | undefined>>();
  const of = <Value>(maps: Map<AnyTable, Map<string, Value>>, table: AnyTable): Map<string, Value> => {
    let found = maps.get(table);
    if (found === undefined) maps.set(table, (found = new Map()));
    return found;
  };
  const set = (table: AnyTable, key: string, row: Row | undefined): void => {
    const former = of(before, table);
    if (!former.has(key)) former.set(key, of(tables, table).get(key));
    if (row === undefined) of(tables, table).delete(key);
    else of(tables, table).set(key, row);
  };
  const rows = {
    get: (table: AnyTable, ...key: string[]) => of(tables, table).get(keyText(key)),
    getBefore: (table: AnyTable, ...key: string[]) => {
      const text = keyText(key);
      const former = of(before, table);
      return former.has(text) ? former.get(text) : of(tables, table).get(text);
    },
    selectRange: (table: AnyTable, group: string, upTo: Date | number) =>
      [...of(tables, table).values()].filter(
        (row) => row[table.range?.group ?? ''] === group && Number(row[table.range?.order ?? '']) <= Number(upTo),
      ),
    put: (table: AnyTable, row: Row) => set(table, rowKey(table, row), row),
    insert: (table: AnyTable, row: Row) => set(table, rowKey(table, row), row),
    delete: (table: AnyTable, ...key: string[]) => set(table, keyText(key), undefined),
  } as unknown as Rows;
  return { rows, tables, beginEvent: () => before.clear() };
}
