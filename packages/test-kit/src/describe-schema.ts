import pg from 'pg';

/** Everything in a schema that queries may rely on, one line each, in the catalog's own words, so that any change of meaning shows. */
const parts = `
  SELECT 'table ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
         || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
         || CASE WHEN coll.collname IS NOT NULL AND coll.collname <> 'default' THEN ' collate ' || coll.collname ELSE '' END
         || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') AS line
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    LEFT JOIN pg_collation coll ON coll.oid = a.attcollation
   WHERE c.relnamespace = $1::text::regnamespace AND c.relkind IN ('r', 'p')
  UNION ALL
  SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = $1::text::regnamespace AND contype <> 'n'
  UNION ALL
  SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = $1::text
  UNION ALL
  SELECT 'trigger ' || pg_get_triggerdef(t.oid)
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace = $1::text::regnamespace AND NOT t.tgisinternal
  UNION ALL
  SELECT 'function ' || p.oid::regprocedure || ' returns ' || pg_get_function_result(p.oid)
         || CASE WHEN p.prosecdef THEN ' security definer' ELSE '' END
    FROM pg_proc p WHERE p.pronamespace = $1::text::regnamespace`;

/** The tables, constraints, indexes, triggers and functions of a schema as sorted lines, for golden files. */
export async function describeSchema(databaseUrl: string, schema: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(
      `SELECT line FROM (${parts}) lines ORDER BY line COLLATE "C"`,
      [schema],
    );
    return `${rows.map(({ line }) => line).join('\n')}\n`;
  } finally {
    await client.end();
  }
}
