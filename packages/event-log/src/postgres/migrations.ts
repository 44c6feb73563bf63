import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg, { type ClientBase } from 'pg';
import { EventLogSetupError } from '../errors.ts';

export type Migration = { number: number; name: string; sql: string; checksum: string };

/** Reads the files `NNNN-name.sql` of a folder, in the order of their numbers. */
export async function loadMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-.*\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { number: Number(name.slice(0, 4)), name, sql, checksum };
    }),
  );
}

const bookkeepingSql = `
  CREATE TABLE IF NOT EXISTS schema_migration (
    number integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  );
`;

/**
 * Creates the schema if it is missing and applies the migrations that it does not have, all in one transaction under an advisory lock, so
 * that processes may start at the same time. For data that cannot be derived from the log; a read model is replayed instead.
 *
 * @returns numbers of the migrations applied now
 * @throws EventLogSetupError if an applied migration has another text now, or the schema has one that is unknown here; database errors
 */
export async function migrate(
  client: ClientBase,
  options: { schema: string; migrations: readonly Migration[] },
): Promise<number[]> {
  const schema = pg.escapeIdentifier(options.schema);
  await client.query('BEGIN');
  try {
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`migrate:${options.schema}`]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(`SET LOCAL search_path TO ${schema}`);
    await client.query(bookkeepingSql);
    const { rows } = await client.query<Omit<Migration, 'sql'>>('SELECT number, name, checksum FROM schema_migration');
    const unknown = rows.find((row) => !options.migrations.some(({ number }) => number === row.number));
    if (unknown !== undefined) {
      throw new EventLogSetupError(`Schema ${options.schema} has migration ${unknown.name}, which this build lacks.`);
    }
    const applied = new Map(rows.map((row) => [row.number, row]));
    const appliedNow: number[] = [];
    for (const { number, name, sql, checksum } of options.migrations) {
      const before = applied.get(number);
      if (before === undefined) {
        await client.query(sql).catch((cause: unknown) => {
          throw new EventLogSetupError(`Migration ${name} of schema ${options.schema} failed: ${String(cause)}`, {
            cause,
          });
        });
        await client.query('INSERT INTO schema_migration (number, name, checksum) VALUES ($1, $2, $3)', [
          number,
          name,
          checksum,
        ]);
        appliedNow.push(number);
      } else if (before.checksum !== checksum) {
        throw new EventLogSetupError(
          `Migration ${name} was applied to schema ${options.schema} with another text; a released migration never changes.`,
        );
      }
    }
    await client.query('COMMIT');
    return appliedNow;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
