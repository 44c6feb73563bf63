import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

const tablesOf = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ tablename: string }>(
    `SELECT tablename FROM pg_tables WHERE schemaname = 'read_models' ORDER BY tablename`,
  );
  return rows.map(({ tablename }) => pg.escapeIdentifier(tablename));
};

/** Copies every read-model row into an empty table with the same columns and indexes: the least that writing these rows can cost. */
export async function copyRows(databaseUrl: string): Promise<{ rows: number; seconds: number }> {
  const [source, target] = [databaseUrl, databaseUrl].map((connectionString) => new pg.Client({ connectionString }));
  if (source === undefined || target === undefined) throw new Error('source and target must be two sessions');
  await Promise.all([source.connect(), target.connect()]);
  try {
    await target.query('DROP SCHEMA IF EXISTS bench_copy CASCADE');
    await target.query('CREATE SCHEMA bench_copy');
    let rows = 0;
    let seconds = 0;
    for (const table of await tablesOf(source)) {
      await target.query(`CREATE TABLE bench_copy.${table} (LIKE read_models.${table} INCLUDING ALL)`);
      const startedAt = performance.now();
      const sink = target.query(copyFrom(`COPY bench_copy.${table} FROM STDIN`));
      await pipeline(source.query(copyTo(`COPY read_models.${table} TO STDOUT`)), sink);
      seconds += (performance.now() - startedAt) / 1_000;
      rows += sink.rowCount ?? 0;
    }
    return { rows, seconds };
  } finally {
    await target.query('DROP SCHEMA IF EXISTS bench_copy CASCADE');
    await Promise.all([source.end(), target.end()]);
  }
}
