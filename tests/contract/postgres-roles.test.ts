/**
 * Bug: the role of the archive cannot read the log record, also after a replay has made it anew; or it can write, or read the keys that contacts are
 * sealed with.
 * Method: the scripts of infra/postgres run on a real server, with what trust-projection makes before and after them.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@agent-trust/embedded-servers';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

const scripts = resolve(import.meta.dirname, '../../infra/postgres');
let folder: string;
let server: EmbeddedPostgres;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postgres-roles-'));
  server = await startEmbeddedPostgres({ dataDir: folder, fsync: false });
}, 60_000);
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (script: string): void => {
  const { hostname, port, username, password } = new URL(server.url);
  const env = {
    PATH: process.env['PATH'],
    PGHOST: hostname,
    PGPORT: port,
    PGPASSWORD: decodeURIComponent(password),
    POSTGRES_USER: username,
    DATABASE_TRUST_PROJECTION_PASSWORD: 'pw-trust_projection',
    DATABASE_RETENTION_PASSWORD: 'pw-retention',
  };
  execFileSync('sh', [join(scripts, script)], { env, stdio: 'pipe' });
};
const as = async <Result>(role: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const url = new URL(server.url);
  [url.username, url.password, url.pathname] = [role, `pw-${role}`, '/agent_trust'];
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
const makeSchema = (name: string): Promise<unknown> =>
  as('trust_projection', (client) =>
    client.query(`CREATE SCHEMA ${name}; CREATE TABLE ${name}.leaf (n integer); INSERT INTO ${name}.leaf VALUES (1)`),
  );

/** Debian and Ubuntu: apt-get install postgresql-client. */
const hasPsql = spawnSync('psql', ['--version']).status === 0;

it.skipIf(!hasPsql)(
  'lets the archive read what trust-projection has made and will make, and write nothing',
  async () => {
    run('10-read-models.sh');
    await makeSchema('made_before');
    run('30-retention.sh');
    await makeSchema('made_after');
    await as('retention', async (client) => {
      for (const schema of ['made_before', 'made_after']) {
        expect((await client.query(`SELECT n FROM ${schema}.leaf`)).rows).toEqual([{ n: 1 }]);
        for (const change of [
          `INSERT INTO ${schema}.leaf VALUES (2)`,
          `DELETE FROM ${schema}.leaf`,
          `DROP SCHEMA ${schema} CASCADE`,
        ])
          await expect(client.query(change)).rejects.toThrow(/permission denied|must be owner/u);
      }
      await expect(client.query('CREATE SCHEMA its_own')).rejects.toThrow('permission denied');
    });
  },
);
