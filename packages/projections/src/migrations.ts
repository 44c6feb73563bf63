import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientBase } from 'pg';
import { quoteIdentifier } from './table.ts';

export type Migration = { number: number; name: string; sql: string; checksum: string };

/** A migration that was changed after it had been applied, or a schema that is newer than this code. */
export class MigrationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MigrationError';
  }
}

const fileNamePattern = /^(\d{4})-([a-z0-9-]+)\.sql$/;

/**
 * Reads `NNNN-name.sql` files of the given folders; numbers are unique over all folders and decide the order.
 *
 * @throws MigrationError when two files have one number
 */
export async function loadMigrations(folders: readonly (string | URL)[]): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const folder of folders) {
    const path = typeof folder === 'string' ? folder : fileURLToPath(folder);
    for (const file of await readdir(path)) {
      const [, number, name] = fileNamePattern.exec(basename(file)) ?? [];
      if (number === undefined || name === undefined) continue;
      const sql = await readFile(join(path, file), 'utf8');
      migrations.push({ number: Number(number), name, sql, checksum: createHash('sha256').update(sql).digest('hex') });
    }
  }
  migrations.sort((a, b) => a.number - b.number);
  for (const [index, migration] of migrations.entries()) {
    if (migrations[index + 1]?.number === migration.number) {
      throw new MigrationError(`two migrations have number ${migration.number}`);
    }
  }
  return migrations;
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
 * Creates the schema if need be and applies every migration that it has not seen, all in one transaction under an
 * advisory lock, so that processes that start together do not meet.
 *
 * @returns numbers of the migrations applied now
 * @throws MigrationError when an applied migration's text has changed, or the schema has one that is unknown here
 */
export async function migrate(
  client: ClientBase,
  options: { schema: string; migrations: readonly Migration[] },
): Promise<number[]> {
  const schema = quoteIdentifier(options.schema);
  await client.query('BEGIN');
  try {
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`migrate:${options.schema}`]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(`SET LOCAL search_path TO ${schema}`);
    await client.query(bookkeepingSql);
    const { rows } = await client.query<{ number: number; name: string; checksum: string }>(
      'SELECT number, name, checksum FROM schema_migration',
    );
    const applied = new Map(rows.map((row) => [row.number, row]));
    for (const row of rows) {
      if (!options.migrations.some(({ number }) => number === row.number)) {
        throw new MigrationError(`schema ${options.schema} has migration ${row.number}-${row.name}, unknown here`);
      }
    }
    const appliedNow: number[] = [];
    for (const migration of options.migrations) {
      const before = applied.get(migration.number);
      if (before === undefined) {
        await client.query(migration.sql);
        await client.query('INSERT INTO schema_migration (number, name, checksum) VALUES ($1, $2, $3)', [
          migration.number,
          migration.name,
          migration.checksum,
        ]);
        appliedNow.push(migration.number);
      } else if (before.checksum !== migration.checksum) {
        throw new MigrationError(
          `migration ${migration.number}-${migration.name} was changed after it had been applied to ${options.schema}`,
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
