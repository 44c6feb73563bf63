import type { ClientBase } from 'pg';
import { projectionLimits } from '../limits.ts';
import { inTransaction } from '../session.ts';
import { type AnyTable, columnName } from '../table.ts';

/** Indexes that were dropped, with the statement that makes each. */
type DroppedIndexes = readonly { isPrimary: boolean; make: string }[];

/** By table, what is not made again yet. */
export type MissingIndexes = Map<AnyTable, DroppedIndexes>;

/**
 * Drops the indexes of a new, empty schema that building does not use, and returns them: an index over all rows at once costs a fraction of one that
 * is kept up to date. A table whose rows change keeps its primary key, and with a range all indexes; an append-only one those that begin with the
 * group of its range. Of append-only tables rows are read by key only where memory does not hold what they lead to: see `makePrimaryKey`.
 */
export async function dropUnusedIndexes(
  client: ClientBase,
  schema: string,
  tables: readonly AnyTable[],
): Promise<MissingIndexes> {
  const missing: MissingIndexes = new Map();
  for (const table of new Set(tables)) {
    if (table.range !== null && !table.appendOnly) continue;
    const group = table.range === null ? null : columnName(table.range.group);
    const { rows } = await client.query<DroppedIndexes[number] & { drop: string }>({
      text: `SELECT
          CASE WHEN k.oid IS NULL THEN format('DROP INDEX %I.%I', $1::text, i.relname)
            ELSE format('ALTER TABLE %I.%I DROP CONSTRAINT %I', $1::text, t.relname, k.conname) END AS drop,
          CASE WHEN k.oid IS NULL THEN pg_get_indexdef(i.oid)
            ELSE format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', $1::text, t.relname, k.conname, pg_get_constraintdef(k.oid)) END AS make,
          x.indisprimary AS "isPrimary"
        FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
          LEFT JOIN pg_constraint k ON k.conindid = i.oid AND k.conrelid = t.oid
        WHERE t.relnamespace = $1::regnamespace AND t.relname = $2 AND (NOT x.indisprimary OR $3)
          AND ($4::text IS NULL OR NOT EXISTS (SELECT FROM pg_attribute a
            WHERE a.attrelid = i.oid AND a.attnum = 1 AND a.attname = $4))
        ORDER BY i.relname`,
      values: [schema, table.name, table.appendOnly, group],
    });
    for (const { drop } of rows) await client.query(drop);
    missing.set(table, rows);
  }
  return missing;
}

/** Makes the primary key of a table, if it was dropped: every row that is read by key without it takes a pass over the table. Not within a transaction. */
export async function makePrimaryKey(client: ClientBase, missing: MissingIndexes, table: AnyTable): Promise<void> {
  const indexes = missing.get(table) ?? [];
  const primary = indexes.find(({ isPrimary }) => isPrimary);
  if (primary === undefined) return;
  await inTransaction(client, async () => {
    await client.query(`SET LOCAL statement_timeout TO ${projectionLimits.wholeTableTimeoutMs}`);
    await client.query(primary.make);
  });
  missing.set(
    table,
    indexes.filter((index) => index !== primary),
  );
}
