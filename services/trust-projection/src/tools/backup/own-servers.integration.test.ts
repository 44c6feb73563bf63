/** Bug: a backup of databases that are not those of `npm start` needs more than reading, lacks a table, or is restored over a registry. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { migrate, migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import { preparePersonalData } from '@agent-trust/personal-data';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSigningSchema } from '../../log-signing/signed-head-schema.ts';
import { appendHistory, makeHistory } from '../../testing/made-history.ts';
import { usageMigrations, usageSchema } from '../../usage/usage-store.ts';
import { migrateOutbox } from '../../webhooks/start-webhooks.ts';
import { allParts, nameOf } from './parts.ts';

const folder = mkdtempSync(join(tmpdir(), 'own-servers-'));
const readerRole = `backup_${process.pid}_${Date.now()}`;
let database: TestDatabase;
let log: TestDatabase;

const asOwner = async <Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

beforeAll(async () => {
  [database, log] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await migratePostgresEventLog(log.url);
  await preparePersonalData(database.url);
  await migrateOutbox(database.url);
  const events = await openEventLog(log.url);
  await appendHistory(events, makeHistory({ agents: 8, exchanges: 60, seed: 5 }));
  await events.close();
  await asOwner(database.url, async (client) => {
    await createSigningSchema(client);
    await migrate(client, { schema: usageSchema, migrations: await usageMigrations() });
    await client.query(`
      INSERT INTO log_signing.signed_head VALUES ('own.test/log', 1, '\\x01', 1, '\\x02', now());
      INSERT INTO log_signing.accepted_log (agreed_position, completed_at) VALUES (1, now());
      INSERT INTO webhook_outbox.hook (webhook_id, starts_after, last_failure) VALUES ('hook', 3, E'a\\tb\\nc\\\\d');
      UPDATE webhook_outbox.handed_over SET position = 7;
      INSERT INTO webhook_outbox.delivery (webhook_id, agent_id, position, message_id, at, trust_policy, trust_score, cause_type, cause_event_id)
        SELECT 'hook', 'agent', n, n::text, now(), 'v1', 40, 'type', 'id' FROM generate_series(1, 5) n;
      INSERT INTO webhook_outbox.delivered VALUES ('hook', 1, 'm', 'trust_score.changed', 'agent', 9, 40, 39, 1, NULL, now());
      INSERT INTO usage_record.organisation_day VALUES ('org', '2026-01-15', 'calls', 5, 4, 3, 2, 1);
      INSERT INTO usage_record.reporter VALUES ('gateway', 9, '[]', now());
      INSERT INTO personal_data.agent_key (key_id, agent_id, wrapped_key) VALUES ('key', 'agent-ü', '\\xff00')`);
    await client.query(`CREATE ROLE ${readerRole} LOGIN PASSWORD 'reader' IN ROLE pg_read_all_data`);
  });
});
afterAll(async () => {
  const { url } = database;
  await log.drop();
  await asOwner(url, (client) => client.query(`DROP ROLE ${readerRole}`));
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const reading = (url: string): string => {
  const address = new URL(url);
  address.username = readerRole;
  address.password = 'reader';
  return address.href;
};

const run = (tool: 'backup' | 'restore', args: string[], urls: { database: string; eventLog: string }) =>
  new Promise<{ code: number; output: string }>((done) => {
    const env = { ...process.env, DATABASE_URL: urls.database, EVENT_LOG_URL: urls.eventLog };
    const file = join(import.meta.dirname, '..', tool, 'main.ts');
    execFile(process.execPath, [file, ...args], { env, timeout: 60_000 }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    );
  });

/** Every row of every table that a backup has, as text. */
const rowsOf = async (urls: { database: string; eventLog: string }): Promise<Record<string, unknown>> => {
  const rows: Record<string, unknown> = {};
  for (const part of allParts)
    rows[nameOf(part)] = await asOwner(urls[part.place], async (client) => {
      const result = await client.query(`SELECT t::text AS row FROM ${nameOf(part)} t ORDER BY 1`);
      return result.rows;
    });
  return rows;
};

it('takes a user that may only read, and is restored into one database or two', { timeout: 120_000 }, async () => {
  const copy = join(folder, 'copy');
  const from = { database: database.url, eventLog: log.url };
  const readers = { database: reading(database.url), eventLog: reading(log.url) };
  expect(await run('backup', ['--to', copy], readers)).toMatchObject({ code: 0 });
  expect(readdirSync(copy)).not.toContain('secrets.json');
  expect(readFileSync(join(copy, 'manifest.json'), 'utf8')).not.toContain('reader');
  const wanted = await rowsOf(from);

  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  try {
    const two = { database: one.url, eventLog: other.url };
    expect(await run('restore', ['--from', copy], two)).toMatchObject({ code: 0 });
    expect(await rowsOf(two)).toEqual(wanted);
    // The next message and the next acceptance have numbers that none of the restored has.
    const [next] = await asOwner(one.url, async (client) => {
      const sql = `SELECT nextval(pg_get_serial_sequence('webhook_outbox.delivery', 'delivery_id')) AS delivery,
        nextval(pg_get_serial_sequence('log_signing.accepted_log', 'number')) AS accepted`;
      return (await client.query<Record<string, string>>(sql)).rows;
    });
    expect(next).toEqual({ delivery: '6', accepted: '2' });
    const appended = await openEventLog(other.url);
    await appendHistory(appended, makeHistory({ agents: 2, exchanges: 2, seed: 6 }));
    await appended.close();

    const again = await run('restore', ['--from', copy], two);
    expect(again).toMatchObject({ code: 1, output: expect.stringContaining('There is a registry already') });
    expect((await rowsOf(two))['personal_data.agent_key']).toEqual(wanted['personal_data.agent_key']);
  } finally {
    await Promise.all([one.drop(), other.drop()]);
  }

  const single = await createTestDatabase();
  try {
    const both = { database: single.url, eventLog: single.url };
    expect(await run('restore', ['--from', copy], both)).toMatchObject({ code: 0 });
    expect(await rowsOf(both)).toEqual(wanted);
  } finally {
    await single.drop();
  }
});

/** Writes SHA256SUMS anew: whoever changes a backup on purpose does the same. */
const seal = (copy: string): void => {
  const files = readdirSync(copy).filter((file) => file !== 'SHA256SUMS');
  const lines = files.map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(copy, file)))
        .digest('hex')}  ${file}\n`,
  );
  writeFileSync(join(copy, 'SHA256SUMS'), lines.join(''));
};
type Loose = { parts: { table: string; file: string }[]; log: unknown };
const changeManifest = (copy: string, change: (manifest: Loose) => void): void => {
  const path = join(copy, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Loose;
  change(manifest);
  writeFileSync(path, JSON.stringify(manifest));
  seal(copy);
};

/** What somebody may have made of a backup, and what is said of it. */
const forgeries: Record<string, { change: (copy: string) => void; says: string }> = {
  'names a file outside of it': {
    change: (copy) =>
      changeManifest(copy, ({ parts }) => parts.forEach((part) => (part.file = `../copy/${part.file}`))),
    says: 'in another file than',
  },
  'names a table twice': {
    change: (copy) => changeManifest(copy, ({ parts }) => parts.push(...parts.slice(0, 1))),
    says: 'twice',
  },
  'lacks the keys': {
    change: (copy) => changeManifest(copy, (it) => (it.parts = it.parts.filter(({ table }) => table !== 'agent_key'))),
    says: 'has no personal_data.agent_key',
  },
  'has another form': {
    change: (copy) => changeManifest(copy, (it) => (it.log = 'long')),
    says: 'is no manifest of a backup',
  },
  'has a link that leads to a device': {
    change: (copy) => symlinkSync('/dev/zero', join(copy, 'more')),
    says: 'is no regular file',
  },
  'has a row without an end': {
    change: (copy) => {
      writeFileSync(join(copy, 'event_log.events.copy.zst'), zstdCompressSync(Buffer.alloc(40_000_000, 'a')));
      seal(copy);
    },
    says: 'is longer than',
  },
};

it.each(Object.entries(forgeries))('refuses a backup that %s', { timeout: 60_000 }, async (_what, forgery) => {
  const copy = join(folder, 'forged');
  cpSync(join(folder, 'copy'), copy, { recursive: true });
  try {
    forgery.change(copy);
    const found = await run('backup', ['--verify', copy], { database: database.url, eventLog: log.url });
    expect(found).toMatchObject({ code: 1, output: expect.stringContaining(forgery.says) });
  } finally {
    rmSync(copy, { recursive: true });
  }
});

it('says at once what it cannot do', { timeout: 60_000 }, async () => {
  const half = await run('restore', ['--from', join(folder, 'copy')], { database: database.url, eventLog: '' });
  expect(half).toMatchObject({ code: 1, output: expect.stringContaining('Set both DATABASE_URL and EVENT_LOG_URL') });
  const esdb = { database: database.url, eventLog: 'esdb://localhost:2113?tls=false' };
  const elsewhere = await run('restore', ['--from', join(folder, 'copy')], esdb);
  expect(elsewhere).toMatchObject({ code: 1, output: expect.stringContaining('docs/eventstoredb.md') });
  const lost = await run('backup', ['--verify', join(folder, 'copy'), '--secrets', '/nowhere.json'], esdb);
  expect(lost).toMatchObject({ code: 1, output: expect.stringContaining('/nowhere.json cannot be read (ENOENT)') });
});

it('opens the keys with the secret that the environment sets', { timeout: 60_000 }, async () => {
  const urls = { database: database.url, eventLog: log.url };
  process.env['PERSONAL_DATA_KEY'] = 'a secret that wrapped none of these keys';
  try {
    const found = await run('backup', ['--verify', join(folder, 'copy')], urls);
    expect(found).toMatchObject({ code: 1, output: expect.stringContaining('do not open the key') });
  } finally {
    delete process.env['PERSONAL_DATA_KEY'];
  }
});

it('refuses what is no log of the registry', { timeout: 60_000 }, async () => {
  const urls = { database: database.url, eventLog: 'esdb://localhost:2113?tls=false' };
  expect(await run('backup', ['--to', join(folder, 'esdb')], urls)).toMatchObject({
    code: 1,
    output: expect.stringContaining('docs/eventstoredb.md'),
  });
  const empty = { database: database.url, eventLog: database.url };
  expect(await run('backup', ['--to', join(folder, 'empty')], empty)).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no table event_log.events'),
  });
  expect(readdirSync(folder)).toEqual(['copy']);
});
