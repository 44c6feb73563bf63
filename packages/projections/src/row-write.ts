import type { QueryConfig } from 'pg';
import { tableSql } from './table-sql.ts';
import type { AnyTable } from './table.ts';
import type { TableChanges } from './table-changes.ts';

/**
 * Serialises changes into statements ready to be sent, at most three a table: deletes, upserts, inserts.
 * Deletes come first, so that a value of a unique column may move from a deleted row to a new one.
 */
export const prepareWrites = (changes: ReadonlyMap<AnyTable, TableChanges>): QueryConfig[] => {
  const writes: QueryConfig[] = [];
  for (const [table, { deletes, puts, inserts }] of changes) {
    const sql = tableSql(table);
    if (deletes.size > 0) {
      const keys = Array.from(deletes.values(), (parts) =>
        Object.fromEntries(table.key.map((property, index) => [property, String(parts[index])])),
      );
      writes.push({ name: `delete:${table.name}`, text: sql.deleteByKey, values: [JSON.stringify(keys)] });
    }
    if (puts.size > 0) {
      writes.push({ name: `upsert:${table.name}`, text: sql.upsert, values: [rowsJson(table, [...puts.values()])] });
    }
    if (inserts.length > 0) {
      writes.push({ name: `insert:${table.name}`, text: sql.insert, values: [rowsJson(table, inserts)] });
    }
  }
  return writes;
};

/** JSON has no bigint, and a replacer function would make JSON.stringify several times slower, so only such columns are mapped. */
const rowsJson = (table: AnyTable, rows: readonly Record<string, unknown>[]): string => {
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
