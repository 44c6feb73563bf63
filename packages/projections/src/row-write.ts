import type { QueryConfig } from 'pg';
import { tableSql } from './table-sql.ts';
import type { AnyTable, KeyPart } from './table.ts';
import type { TableChanges } from './table-changes.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Serialises changes into statements ready to be sent, at most three a table: deletes, upserts, inserts.
 * Deletes come first, so that a value of a unique column may move from a deleted row to a new one.
 */
export function prepareWrites(changes: ReadonlyMap<AnyTable, TableChanges>): QueryConfig[] {
  return [...changes].flatMap(([table, { deletes, puts, inserts }]) =>
    [
      prepareDeletes(table, [...deletes.values()]),
      prepareUpserts(table, [...puts.values()]),
      prepareInserts(table, inserts),
    ].flatMap((statement) => statement ?? []),
  );
}

/** Null for no keys. */
export function prepareDeletes(table: AnyTable, keys: readonly (readonly KeyPart[])[]): QueryConfig | null {
  if (keys.length === 0) return null;
  const records = keys.map((parts) =>
    Object.fromEntries(table.key.map((property, index) => [property, String(parts[index])])),
  );
  return { name: `delete:${table.name}`, text: tableSql(table).deleteByKey, values: [JSON.stringify(records)] };
}

/** Null for no rows. */
export function prepareUpserts(table: AnyTable, rows: readonly Row[]): QueryConfig | null {
  return rows.length === 0
    ? null
    : { name: `upsert:${table.name}`, text: tableSql(table).upsert, values: [rowsJson(table, rows)] };
}

/** Null for no rows. */
export function prepareInserts(table: AnyTable, rows: readonly Row[]): QueryConfig | null {
  return rows.length === 0
    ? null
    : { name: `insert:${table.name}`, text: tableSql(table).insert, values: [rowsJson(table, rows)] };
}

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
