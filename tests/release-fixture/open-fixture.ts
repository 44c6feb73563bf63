import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@agent-trust/embedded-servers';
import pg from 'pg';
import type { DatabaseDump, TableData } from './dump-database.ts';
import type { FixtureFiles } from './fixture-files.ts';
import { restoreDatabase } from './restore-database.ts';

/** The data folder of a stack as a release left it, in a temporary place. `change` may do to the database what an operator might. */
export async function layOutFixture(files: FixtureFiles, change: readonly string[] = []): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'upgrade-'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), fsync: false });
  try {
    const url = await restoreDatabase(postgres.url, dumpIn(files));
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const statement of change) await client.query(statement);
    await client.end();
  } finally {
    await postgres.stop();
  }
  writeFileSync(join(dataDir, 'secrets.json'), files.readText('data/secrets.json'), { mode: 0o600 });
  return dataDir;
}

function dumpIn(files: FixtureFiles): DatabaseDump {
  const definitions = files.readJson('data/definitions.json') as Omit<DatabaseDump, 'data'>;
  return { ...definitions, data: JSON.parse(files.readCompressed('data/rows.json.zst')) as TableData[] };
}
