import pg, { type ClientBase, type CustomTypesConfig, type QueryConfig } from 'pg';
import { tableSql } from './table-sql.ts';
import type { AnyTable, KeyPart } from './table.ts';
import type { TableWrites } from './held-table.ts';
import { projectionLimits } from './limits.ts';

const int8Oid = 20;

/** Type parsers of every query on a read model: as the driver's own, but int8 is a bigint (positions exceed 2^53). */
export const readModelTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8Oid && format !== 'binary'
      ? BigInt
      : pg.types.getTypeParser(oid, format as 'text')) as CustomTypesConfig['getTypeParser'],
};

const jsonKeyPart = (part: KeyPart): unknown => (typeof part === 'bigint' ? String(part) : part);

/** The rows with the given primary keys; keys without a row are left out. One query. */
export function loadByKey(
  client: ClientBase,
  table: AnyTable,
  keys: readonly (readonly KeyPart[])[],
): Promise<Record<string, unknown>[]> {
  const records = keys.map((parts) =>
    Object.fromEntries(table.key.map((property, index) => [property, jsonKeyPart(parts[index] as KeyPart)])),
  );
  return query(client, `load:${table.name}`, tableSql(table).selectByKey, records);
}

type Ranges = ReadonlyMap<KeyPart, Date | number>;

/** The rows of each group up to its bound. One query. */
export function loadRanges(client: ClientBase, table: AnyTable, ranges: Ranges): Promise<Record<string, unknown>[]> {
  return query(client, `range:${table.name}`, tableSql(table).selectRange, boundsOf(ranges));
}

/** The least order value above each group's bound, null for none. One query. */
export function loadNextOrders(
  client: ClientBase,
  table: AnyTable,
  ranges: Ranges,
): Promise<{ group: KeyPart; next: Date | number | null }[]> {
  return query(client, `next:${table.name}`, tableSql(table).selectNextOrder, boundsOf(ranges));
}

const boundsOf = (ranges: Ranges): object[] =>
  Array.from(ranges, ([group, upTo]) => ({ group: jsonKeyPart(group), upTo }));

const query = async <Row extends object>(
  client: ClientBase,
  name: string,
  text: string | null,
  parameter: readonly object[],
): Promise<Row[]> => {
  if (text === null) throw new Error(`the table of ${name} has no range`);
  return (await client.query<Row>({ name, text, values: [JSON.stringify(parameter)], types: readModelTypes })).rows;
};

type Row = Readonly<Record<string, unknown>>;

/** Statements for the rows to write: deletes first, so that a value of a unique column may move from a deleted row to a new one. */
export function rowStatements(taken: ReadonlyMap<AnyTable, TableWrites>): QueryConfig[] {
  return [...taken].flatMap(([table, writes]) => [
    ...changeStatements(table, writes),
    ...statementsOf(writes.copies, (rows) => rowStatement(table, 'insert', rows)),
  ]);
}

/** A generator, so that at most one statement is in memory. */
export function* changeStatements(
  table: AnyTable,
  { upserts, deletes }: Pick<TableWrites, 'upserts' | 'deletes'>,
): Generator<QueryConfig> {
  yield* statementsOf(deletes, (keys) => deleteStatement(table, keys));
  yield* statementsOf(upserts, (rows) => rowStatement(table, 'upsert', rows));
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

const deleteStatement = (table: AnyTable, keys: readonly (readonly KeyPart[])[]): QueryConfig => {
  const records = keys.map((parts) =>
    Object.fromEntries(table.key.map((property, index) => [property, String(parts[index])])),
  );
  return { name: `delete:${table.name}`, text: tableSql(table).deleteByKey, values: [JSON.stringify(records)] };
};

const rowStatement = (table: AnyTable, kind: 'insert' | 'upsert', rows: readonly Row[]): QueryConfig => ({
  name: `${kind}:${table.name}`,
  text: tableSql(table)[kind],
  values: [rowsJson(table, rows)],
});

/** Of each column alone: a row may have more in memory. JSON has no bigint, and a replacer function would make it several times slower. */
export function rowsJson(table: AnyTable, rows: readonly Row[]): string {
  const columns = Object.entries(table.columns);
  return JSON.stringify(
    rows.map((row) => {
      const copy: Record<string, unknown> = {};
      for (const [property, type] of columns) {
        const value = row[property];
        copy[property] = type === 'bigint' && typeof value === 'bigint' ? String(value) : value;
      }
      return copy;
    }),
  );
}
