/*
 * Bug: what docs/backup.md says about archived write-ahead log does not bring the event log back to a moment, or the registry goes on with read
 * models that are newer than it.
 * Method: the log is in a Postgres of its own that archives. A base backup is taken while agents register; later more of them do. The server is
 * killed and its folder deleted; from base backup and archive it is restored to a moment in between, under the running registry.
 */
import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Stack } from '@agent-trust/dev-stack';
import { type EmbeddedPostgres, freePort, startEmbeddedPostgres } from '@agent-trust/embedded-servers';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { httpTo, unique } from '../support/registry.ts';
import { startChaosStack } from './support/chaos-stack.ts';
import { untilHealthy } from './support/invariants.ts';
import { readiness } from './support/log-copies.ts';
import { query, replay } from './support/read-model-rows.ts';
import { waitFor } from './support/wait-for.ts';

const root = resolve(import.meta.dirname, '../..');
const acceptFile = join(root, 'services/trust-projection/src/tools/log-accept/main.ts');

let folder: string;
let port: number;
let server: EmbeddedPostgres | undefined;
let stack: Stack | undefined;
const inFolder = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'point-in-time-'));
  chmodSync(folder, 0o755);
  mkdirSync(inFolder('wal'));
  // Where this process is root, Postgres runs as another user.
  chmodSync(inFolder('wal'), 0o777);
  port = await freePort();
});
afterAll(async () => {
  await stack?.stop();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The settings of a block of docs/backup.md, with the folder of this test in the place of /backup. */
const documented = (name: string): Record<string, string> => {
  const page = readFileSync(join(root, 'docs/backup.md'), 'utf8');
  const block = [...page.matchAll(/^```(\w*)\n([^]*?)^```$/gmu)]
    .filter(([, language]) => language === '')
    .map(([, , text = '']) => text)
    .find((text) => text.includes(name));
  if (block === undefined) throw new Error(`docs/backup.md has no settings with ${name}`);
  return Object.fromEntries(
    block
      .trim()
      .split('\n')
      .map((line) => {
        const [, key = '', value = ''] = /^(\w+) = '?(.*?)'?$/u.exec(line) ?? [];
        return [key, value.replaceAll('/backup', folder)];
      }),
  );
};

const startServer = async (name: string, settings: Record<string, string>): Promise<EmbeddedPostgres> => {
  server = await startEmbeddedPostgres({ dataDir: inFolder(name), port, settings });
  return server;
};

/** A base backup by the functions that pg_basebackup stands on, while the server writes. */
const takeBaseBackup = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('base', true)`);
    const from = ['-C', join(inFolder('log'), 'cluster'), '--exclude=./postmaster.pid', '--exclude=./pg_wal/*'];
    const { status } = spawnSync('tar', [...from, '--warning=no-file-changed', '-cf', inFolder('base.tar'), '.']);
    // 1 says that a file changed while it was read, which the archived write-ahead log puts right.
    expect([0, 1]).toContain(status);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
    writeFileSync(inFolder('backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
};

const unpackBase = (name: string): void => {
  const cluster = join(inFolder(name), 'cluster');
  mkdirSync(cluster, { recursive: true });
  expect(spawnSync('tar', ['-C', cluster, '-xpf', inFolder('base.tar')]).status).toBe(0);
  copyFileSync(inFolder('backup_label'), join(cluster, 'backup_label'));
  writeFileSync(join(cluster, 'recovery.signal'), '');
  const { uid, gid } = statSync(join(cluster, 'PG_VERSION'));
  for (const file of ['backup_label', 'recovery.signal']) chownSync(join(cluster, file), uid, gid);
  copyFileSync(inFolder('password'), join(inFolder(name), 'password'));
};

const register = (agentId: string) =>
  httpTo(stack?.url ?? '').post('/register', { agent_id: agentId, contact_email: 'a@agent.example' });
const isKnown = async (agentId: string): Promise<boolean> =>
  (await httpTo(stack?.url ?? '').post('/verify', { agent_id: agentId })).status === 200;
const registered = async (name: string): Promise<string> => {
  const agentId = unique(name);
  expect((await register(agentId)).status).toBe(201);
  return agentId;
};

const accept = (...args: string[]): Promise<{ code: number; output: string }> =>
  new Promise((done) => {
    const env = { ...process.env, ...stack?.environment };
    execFile(process.execPath, [acceptFile, ...args], { env }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    );
  });

it('the log is restored to a moment, the registry notices, and goes on when the operator accepts it', async () => {
  const { url } = await startServer('log', documented('archive_command'));
  stack = await startChaosStack({ EVENT_LOG_URL: url }, undefined, inFolder('data'));
  await untilHealthy(stack);
  const before = await registered('before');
  const stopping = new AbortController();
  const writing = (async () => {
    while (!stopping.signal.aborted) await registered('meanwhile');
  })();
  await takeBaseBackup(url);
  stopping.abort();
  await writing;
  const after = await registered('after');
  const [moment] = await query<{ at: string }>(url, `SELECT clock_timestamp()::text AS at`);
  const lost = await registered('lost');
  await untilHealthy(stack);
  // Whoever reads the checkpoint has a signature for what is about to be lost.
  const signed = async (): Promise<number> =>
    Number((await httpTo(stack?.url ?? '').get('/log/checkpoint')).text.split('\n')[1]);
  const [{ events } = { events: '' }] = await query<{ events: string }>(
    url,
    'SELECT count(*) AS events FROM event_log.events',
  );
  await waitFor(async () => (await signed()) >= Number(events), { description: 'the last event to be signed' });
  const [segment] = await query<{ name: string }>(url, 'SELECT pg_walfile_name(pg_current_wal_lsn()) AS name');
  await query(url, 'SELECT pg_switch_wal()');
  await waitFor(() => existsSync(join(inFolder('wal'), segment?.name ?? '')), {
    description: 'the segment with the last registration to be archived',
  });

  copyFileSync(join(inFolder('log'), 'password'), inFolder('password'));
  process.kill(server?.pid ?? 0, 'SIGKILL');
  await server?.exited;
  rmSync(inFolder('log'), { recursive: true });
  unpackBase('restored');
  await startServer('restored', { ...documented('restore_command'), recovery_target_time: moment?.at ?? '' });

  await waitFor(
    async () => {
      const states = Object.values(await readiness(stack!));
      for (const state of states)
        expect(state).toMatchObject({ status: 503, parts: { log_state: { status: 'down' } } });
      return states.length === 5;
    },
    { description: 'every service to see that the log is another one' },
  );
  const refused = await register(unique('refused'));
  expect([refused.status, refused.body['code']]).toEqual([503, 'log_rolled_back']);
  const asked = await accept('--yes');
  expect(asked).toMatchObject({ code: 3, output: expect.stringContaining('--new-origin') });
  expect(await accept('--yes', '--new-origin', 'restored.test/log-2')).toMatchObject({ code: 0 });

  await waitFor(async () => (await register(unique('settled'))).status === 201);
  await untilHealthy(stack);
  expect([await isKnown(before), await isKnown(after), await isKnown(lost)]).toEqual([true, true, false]);
  expect(await replay(stack)).toMatchObject({ code: 0 });
});
