import type { ClientBase } from 'pg';
import { projectionLimits } from '../limits.ts';
import { quoteIdentifier } from '../table.ts';

export type RowDifference = {
  table: string;
  /** The row of the live read model; null where it has none. */
  live: Record<string, unknown> | null;
  replayed: Record<string, unknown> | null;
};

export type Comparison = {
  /** Position at which both were compared; null when the live read model was empty. */
  position: bigint | null;
  tables: { table: string; rows: number; rowsDiffering: number }[];
  rows: number;
  rowsDiffering: number;
  /** The first differing rows of each table, up to the asked-for number in all. */
  differences: RowDifference[];
};

type CatalogTable = { table: string; columns: string[]; key: string[] };

/**
 * Compares every column of every row of every table of two schemas, except `notCompared`. The tables come from the database's catalog, not
 * from the projections, so that none is left out. Run it in a transaction whose snapshot has both at one position.
 */
export async function compareSchemas(
  client: ClientBase,
  options: {
    live: string;
    replayed: string;
    position: bigint | null;
    shownMax: number;
    notCompared: readonly string[];
  },
): Promise<Comparison> {
  // This reads whole tables, which the plans of a writer's session do not.
  await client.query(
    `SET LOCAL enable_seqscan TO on; SET LOCAL enable_hashjoin TO on; SET LOCAL enable_mergejoin TO on; SET LOCAL work_mem TO '64MB';
     SET LOCAL statement_timeout TO ${projectionLimits.wholeTableTimeoutMs}`,
  );
  const comparison: Comparison = { position: options.position, tables: [], rows: 0, rowsDiffering: 0, differences: [] };
  for (const table of await catalogTables(client, options.replayed, options.notCompared)) {
    const shown = options.shownMax - comparison.differences.length;
    const { rows, rowsDiffering, differences } = await compareTable(client, table, options, shown);
    comparison.tables.push({ table: table.table, rows, rowsDiffering });
    comparison.rows += rows;
    comparison.rowsDiffering += rowsDiffering;
    comparison.differences.push(...differences);
  }
  return comparison;
}

const catalogTables = async (client: ClientBase, schema: string, left: readonly string[]): Promise<CatalogTable[]> => {
  const { rows } = await client.query<CatalogTable>(
    `SELECT c.relname AS "table",
       ARRAY(SELECT a.attname::text FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) AS columns,
       ARRAY(SELECT a.attname::text FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
         WHERE i.indrelid = c.oid AND i.indisprimary ORDER BY array_position(i.indkey::int2[], a.attnum)) AS key
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind = 'r' AND c.relname <> 'projection_checkpoint'
       AND c.relname <> ALL ($2::text[])
     ORDER BY c.relname`,
    [schema, left],
  );
  const keyless = rows.find(({ key }) => key.length === 0);
  if (keyless !== undefined) throw new Error(`table ${keyless.table} has no primary key to compare rows by`);
  return rows;
};

const compareTable = async (
  client: ClientBase,
  { table, columns, key }: CatalogTable,
  schemas: { live: string; replayed: string },
  shownMax: number,
): Promise<{ rows: number; rowsDiffering: number; differences: RowDifference[] }> => {
  const live = `${quoteIdentifier(schemas.live)}.${quoteIdentifier(table)}`;
  const replayed = `${quoteIdentifier(schemas.replayed)}.${quoteIdentifier(table)}`;
  const list = (alias: string): string => columns.map((column) => `${alias}.${quoteIdentifier(column)}`).join(', ');
  const joined = key.map((column) => `l.${quoteIdentifier(column)} = r.${quoteIdentifier(column)}`).join(' AND ');
  const keyList = key
    .map((column) => `coalesce(l.${quoteIdentifier(column)}, r.${quoteIdentifier(column)})`)
    .join(', ');
  const firstKey = quoteIdentifier(key[0] ?? '');
  const differing = `FROM ${live} l FULL JOIN ${replayed} r ON ${joined}
    WHERE l.${firstKey} IS NULL OR r.${firstKey} IS NULL OR (${list('l')}) IS DISTINCT FROM (${list('r')})`;

  const counts = await client.query<{ rows: string; differing: string }>(
    `SELECT (SELECT count(*) FROM ${replayed}) AS rows, (SELECT count(*) ${differing}) AS differing`,
  );
  const rows = Number(counts.rows[0]?.rows ?? 0);
  const rowsDiffering = Number(counts.rows[0]?.differing ?? 0);
  if (rowsDiffering === 0 || shownMax <= 0) return { rows, rowsDiffering, differences: [] };
  const { rows: differences } = await client.query<RowDifference>(
    `SELECT $1::text AS "table", to_jsonb(l) AS live, to_jsonb(r) AS replayed ${differing} ORDER BY ${keyList} LIMIT $2`,
    [table, shownMax],
  );
  return { rows, rowsDiffering, differences };
};
