import type { QueryConfig } from 'pg';
import type { TableWrites } from './held-table.ts';
import { projectionLimits } from './limits.ts';
import { tableSql } from './table-sql.ts';
import type { AnyTable, KeyPart } from './table.ts';

type Row = Readonly<Record<string, unknown>>;

/** Statements for the rows to write: deletes first, so that a value of a unique column may move from a deleted row to a new one. */
export function rowStatements(taken: ReadonlyMap<AnyTable, TableWrites>): QueryConfig[] {
  return [...taken].flatMap(([table, writes]) => [
    ...changeStatements(table, writes),
    ...statementsOf(writes.copies, (rows) => prepareInserts(table, rows)),
  ]);
}

/** A generator, so that at most one statement is in memory. */
export function* changeStatements(
  table: AnyTable,
  { upserts, deletes }: Pick<TableWrites, 'upserts' | 'deletes'>,
): Generator<QueryConfig> {
  yield* statementsOf(deletes, (keys) => prepareDeletes(table, keys));
  yield* statementsOf(upserts, (rows) => prepareUpserts(table, rows));
}

/** Rows travel as one JSON text, whose length is limited. */
function* statementsOf<Item>(
  items: readonly Item[],
  prepare: (items: readonly Item[]) => QueryConfig,
): Generator<QueryConfig> {
  const { rowsPerStatementMax } = projectionLimits;
  for (let from = 0; from < items.length; from += rowsPerStatementMax) {
    yield prepare(items.slice(from, from + rowsPerStatementMax));
  }
}

const prepareDeletes = (table: AnyTable, keys: readonly (readonly KeyPart[])[]): QueryConfig => {
  const records = keys.map((parts) =>
    Object.fromEntries(table.key.map((property, index) => [property, String(parts[index])])),
  );
  return { name: `delete:${table.name}`, text: tableSql(table).deleteByKey, values: [JSON.stringify(records)] };
};

const prepareUpserts = (table: AnyTable, rows: readonly Row[]): QueryConfig => ({
  name: `upsert:${table.name}`,
  text: tableSql(table).upsert,
  values: [rowsJson(table, rows)],
});

const prepareInserts = (table: AnyTable, rows: readonly Row[]): QueryConfig => ({
  name: `insert:${table.name}`,
  text: tableSql(table).insert,
  values: [rowsJson(table, rows)],
});

/** JSON has no bigint, and a replacer function would make JSON.stringify several times slower, so only such columns are mapped. */
const rowsJson = (table: AnyTable, rows: readonly Row[]): string => {
  const bigints = Object.keys(table.columns).filter((property) => table.columns[property] === 'bigint');
  if (bigints.length === 0) return JSON.stringify(rows);
  return JSON.stringify(
    rows.map((row) => {
      const copy = { ...row };
      for (const property of bigints) {
        if (typeof copy[property] === 'bigint') copy[property] = String(copy[property]);
      }
      return copy;
    }),
  );
};
