import type { ClientBase, CustomTypesConfig } from 'pg';
import pg from 'pg';
import { tableSql } from './table-sql.ts';
import type { AnyTable, KeyPart } from './table.ts';

const int8Oid = 20;

/** Type parsers of every query on a read model: as the driver's own, but int8 is a bigint (positions exceed 2^53). */
export const readModelTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8Oid && format !== 'binary'
      ? BigInt
      : pg.types.getTypeParser(oid, format as 'text')) as CustomTypesConfig['getTypeParser'],
};

const jsonKeyPart = (part: KeyPart | Date): unknown => (typeof part === 'bigint' ? String(part) : part);

/** The rows with the given primary keys; keys without a row are left out. One query. */
export async function loadByKey(
  client: ClientBase,
  table: AnyTable,
  keys: readonly (readonly KeyPart[])[],
): Promise<Record<string, unknown>[]> {
  const records = keys.map((parts) => {
    const record: Record<string, unknown> = {};
    for (const [index, property] of table.key.entries()) record[property] = jsonKeyPart(parts[index] as KeyPart);
    return record;
  });
  const result = await client.query<Record<string, unknown>>({
    name: `load:${table.name}`,
    text: tableSql(table).selectByKey,
    values: [JSON.stringify(records)],
    types: readModelTypes,
  });
  return result.rows;
}

/** The rows of each group up to its bound. One query. */
export async function loadRanges(
  client: ClientBase,
  table: AnyTable,
  ranges: ReadonlyMap<KeyPart, Date | number>,
): Promise<Record<string, unknown>[]> {
  const { selectRange } = tableSql(table);
  if (selectRange === null) throw new Error(`${table.name} has no range`);
  const result = await client.query<Record<string, unknown>>({
    name: `range:${table.name}`,
    text: selectRange,
    values: [rangesJson(ranges)],
    types: readModelTypes,
  });
  return result.rows;
}

/** Of each group the least order value that lies above its bound, null for none. One query. */
export async function loadNextOrders(
  client: ClientBase,
  table: AnyTable,
  ranges: ReadonlyMap<KeyPart, Date | number>,
): Promise<{ group: KeyPart; next: Date | number | null }[]> {
  const { selectNextOrder } = tableSql(table);
  if (selectNextOrder === null) throw new Error(`${table.name} has no range`);
  const result = await client.query<{ group: KeyPart; next: Date | number | null }>({
    name: `next:${table.name}`,
    text: selectNextOrder,
    values: [rangesJson(ranges)],
    types: readModelTypes,
  });
  return result.rows;
}

const rangesJson = (ranges: ReadonlyMap<KeyPart, Date | number>): string =>
  JSON.stringify(Array.from(ranges, ([group, upTo]) => ({ group: jsonKeyPart(group), upTo })));
