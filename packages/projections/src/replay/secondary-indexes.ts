import type { ClientBase } from 'pg';
import { type AnyTable, columnName } from '../table.ts';

type Dropped = { drop: string; make: string };

/** The statements that make the indexes of tables. */
export type MakeIndexes = ReadonlyMap<AnyTable, readonly string[]>;

/**
 * Drops the indexes of a new, empty schema that building does not use, and returns the statements that create them again: an index over all
 * rows at once costs a fraction of one that is kept up to date. A table whose rows change keeps its primary key, and with a range all indexes; an append-only one those that begin with the group of its range.
 */
export async function dropUnusedIndexes(
  client: ClientBase,
  schema: string,
  tables: readonly AnyTable[],
): Promise<MakeIndexes> {
  const made = new Map<AnyTable, readonly string[]>();
  for (const table of new Set(tables)) {
    if (table.range !== null && !table.appendOnly) continue;
    const group = table.range === null ? null : columnName(table.range.group);
    const { rows } = await client.query<Dropped>({
      text: `SELECT
          CASE WHEN k.oid IS NULL THEN format('DROP INDEX %I.%I', $1::text, i.relname)
            ELSE format('ALTER TABLE %I.%I DROP CONSTRAINT %I', $1::text, t.relname, k.conname) END AS drop,
          CASE WHEN k.oid IS NULL THEN pg_get_indexdef(i.oid)
            ELSE format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', $1::text, t.relname, k.conname, pg_get_constraintdef(k.oid)) END AS make
        FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
          LEFT JOIN pg_constraint k ON k.conindid = i.oid AND k.conrelid = t.oid
        WHERE t.relnamespace = $1::regnamespace AND t.relname = $2 AND (NOT x.indisprimary OR $3)
          AND ($4::text IS NULL OR NOT EXISTS (SELECT FROM pg_attribute a
            WHERE a.attrelid = i.oid AND a.attnum = 1 AND a.attname = $4))
        ORDER BY i.relname`,
      values: [schema, table.name, table.appendOnly, group],
    });
    for (const { drop } of rows) await client.query(drop);
    made.set(
      table,
      rows.map(({ make }) => make),
    );
  }
  return made;
}
