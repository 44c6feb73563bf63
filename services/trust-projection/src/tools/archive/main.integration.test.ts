import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSegments } from '@agent-trust/log-archive';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appendHistory, makeHistory } from '../../testing/made-history.ts';
import { archiveExchanges } from './archive-exchanges.ts';
import { type FollowedLog, followedLog } from './testing/followed-log.ts';

const command = join(import.meta.dirname, 'main.ts');
let followed: FollowedLog;

beforeAll(async () => {
  followed = await followedLog();
  await appendHistory(followed.log, makeHistory({ agents: 8, exchanges: 60, seed: 3 }));
  await followed.follow();
}, 60_000);
afterAll(() => followed.close());

type Outcome = { code: number; stdout: string; stderr: string };
const run = (...args: string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const env = { ...process.env, DATABASE_URL: followed.url, EVENT_LOG_URL: followed.url };
    execFile(process.execPath, [command, ...args], { env, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });

it('counts, archives, lists, restores and removes', { timeout: 120_000 }, async () => {
  const { folder } = followed;
  const dry = await run('--older-than', '1d', '--dry-run');
  expect(dry).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/0 exchanges .* would be archived. Nothing was changed/u),
  });
  expect(await run('--list', '--to', folder)).toMatchObject({ code: 0, stdout: 'Nothing was archived.\n' });
  // What a run that was killed left goes, and nothing else.
  await writeFile(join(folder, 'exchanges-1-2.jsonl.zst.killed.partial'), 'half');
  await writeFile(join(folder, 'notes.partial'), 'mine');
  // Nothing in this log is a day old.
  expect(await run('--older-than', '1d', '--to', folder)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/0 segments were archived/u),
  });

  expect(await readdir(folder)).toEqual(['notes.partial']);

  await archiveExchanges(followed.parts, { endedBefore: new Date(Date.now() + 1_000) });
  const segment = (await readSegments(followed.log)).segments[0]?.segment ?? '';
  const listed = await run('--list', '--to', folder);
  expect(listed.stdout).toMatch(new RegExp(`^${segment}  archived  \\d+ exchanges`, 'u'));
  expect((await run('--list', '--to', join(folder, 'elsewhere'))).stdout).toContain('FILE MISSING');
  expect(await run('--restore', segment, '--to', folder)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('put back'),
  });
  expect((await run('--list', '--to', folder)).stdout).toContain('restored');
  expect(await run('--remove', segment, '--to', folder)).toMatchObject({ code: 0 });
  expect((await run('--list', '--to', folder)).stdout).toContain('archived');
});

it('refuses what it does not understand, and says what it cannot do', { timeout: 60_000 }, async () => {
  const { folder } = followed;
  for (const args of [
    [],
    ['--older-than', '90'],
    ['--older-than', '0d'],
    ['--older-than', '90d'],
    ['--list', '--restore', 'x'],
  ])
    expect([args, (await run(...args)).code]).toEqual([args, 2]);
  const unknown = await run('--restore', 'exchanges-1-2', '--to', folder);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no record of a segment exchanges-1-2')]);
});

it('goes on if the connection that holds its lock breaks', { timeout: 120_000 }, async () => {
  const client = new pg.Client({ connectionString: followed.url });
  await client.connect();
  try {
    // The command waits for the log, with its lock held.
    await client.query('BEGIN; LOCK TABLE event_log.events IN ACCESS EXCLUSIVE MODE');
    const running = run('--older-than', '1d', '--dry-run');
    const text = `SELECT pg_terminate_backend(pid) AS broken FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND granted AND datname = current_database() AND application_name = 'archive' AND state = 'idle'`;
    await expect.poll(() => followed.readModels.query({ text, values: [] })).toEqual([{ broken: true }]);
    await client.query('ROLLBACK');
    expect(await running).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('The lock of this run is lost.'),
      stdout: expect.stringContaining('Nothing was changed'),
    });
  } finally {
    await client.end();
  }
});
