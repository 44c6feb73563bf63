import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ClientBase } from 'pg';
import { inTransaction } from './session.ts';
import { quoteIdentifier } from './table.ts';

/** The tables of a read model. Builds with different fingerprints are not interchangeable. */
export type ReadModelSchema = { sql: string; fingerprint: string };

/** `created`: it was missing. `outdated`: it was built from another schema or by another revision of a projection. */
export type SchemaState = 'created' | 'current' | 'outdated';

/** Reads the `schema.sql` of each projection and computes the fingerprint of all of them with the projections' revisions. */
export async function loadSchema(
  projections: readonly { name: string; revision?: number; schema: URL }[],
): Promise<ReadModelSchema> {
  const texts = await Promise.all(projections.map(({ schema }) => readFile(schema, 'utf8')));
  const revisions = projections.map(({ name, revision = 1 }, index) => [name, revision, texts[index]]);
  const fingerprint = createHash('sha256').update(JSON.stringify(revisions)).digest('hex');
  return { sql: texts.join('\n'), fingerprint };
}

/** The engine's own table. A switch of schemas changes `generation`, so that a runner of the former build writes nothing. */
const checkpointSql = `
  CREATE TABLE projection_checkpoint (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    position bigint,
    -- Of the event at the position: by it the log is known again.
    event_id text,
    generation uuid NOT NULL DEFAULT gen_random_uuid(),
    schema_fingerprint text NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now()
  )`;

/** Creates a read model's schema if it is missing. An existing one is never altered. Safe for several processes at once. */
export function createSchema(client: ClientBase, schema: string, definition: ReadModelSchema): Promise<SchemaState> {
  return inTransaction(client, async () => {
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`create:${schema}`]);
    // The setup of the database may have created the schema, without tables.
    const { rows } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
      `${quoteIdentifier(schema)}.projection_checkpoint`,
    ]);
    if (rows[0]?.exists === true) {
      await addEventId(client, schema);
      return (await readFingerprint(client, schema)) === definition.fingerprint ? 'current' : 'outdated';
    }
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(schema)}`);
    await client.query(`SET LOCAL search_path TO ${quoteIdentifier(schema)}`);
    await client.query(checkpointSql);
    await client.query('INSERT INTO projection_checkpoint (schema_fingerprint) VALUES ($1)', [definition.fingerprint]);
    await client.query(definition.sql);
    return 'created';
  });
}

/** A schema of an earlier version lacks the column. Looked for first, because ALTER waits for every reader. */
const addEventId = async (client: ClientBase, schema: string): Promise<void> => {
  const { rowCount } = await client.query(
    `SELECT FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = 'event_id' AND NOT attisdropped`,
    [`${quoteIdentifier(schema)}.projection_checkpoint`],
  );
  if (rowCount === 0)
    await client.query(`ALTER TABLE ${quoteIdentifier(schema)}.projection_checkpoint ADD COLUMN event_id text`);
};

const readFingerprint = async (client: ClientBase, schema: string): Promise<string | null> => {
  // By way of JSON: a schema of an earlier version may lack the column.
  const { rows } = await client.query<{ fingerprint: string | null }>(
    `SELECT to_jsonb(c) ->> 'schema_fingerprint' AS fingerprint FROM ${quoteIdentifier(schema)}.projection_checkpoint c`,
  );
  return rows[0]?.fingerprint ?? null;
};
