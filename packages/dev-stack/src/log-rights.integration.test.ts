/**
 * Bug: a service does not check the rights of its user of the event log, or checks those of another kind of service.
 * Method: the program of each service starts with a role of its own, and with one that has other rights, until it says what it waits for.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import { grantEventLogAccess, migratePostgresEventLog } from '@agent-trust/event-log';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceKinds } from './services.ts';

const root = resolve(import.meta.dirname, '../../..');
const id = randomUUID().slice(0, 8);
const roles = { writer: `writer_${id}`, reader: `reader_${id}` };
let database: TestDatabase;

const asOwner = async (sql: string): Promise<void> => {
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
};

beforeAll(async () => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  for (const role of Object.values(roles)) await asOwner(`create role ${role} login password 'p'`);
  await grantEventLogAccess(database.url, { writers: [roles.writer], readers: [roles.reader] });
});
afterAll(async () => {
  for (const role of Object.values(roles)) await asOwner(`drop owned by ${role}; drop role ${role}`);
  await database.drop();
});

/** What the program of a service writes until it waits for NATS, which is not there, or ends. */
const startOf = (service: string, role: string | null, env: Record<string, string> = {}): Promise<string> => {
  const eventLogUrl = new URL(database.url);
  if (role !== null) [eventLogUrl.username, eventLogUrl.password] = [role, 'p'];
  const secret = 'x'.repeat(43);
  const child = spawn(process.execPath, [join(root, 'services', service, 'src/main.ts')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
      NODE_ENV: 'production',
      NATS_URL: 'nats://127.0.0.1:1',
      BASE_URL: 'http://127.0.0.1:8080',
      EVENT_LOG_URL: eventLogUrl.href,
      DATABASE_URL: database.url,
      PERSONAL_DATA_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x',
      PERSONAL_DATA_KEY: secret,
      WEBHOOK_SECRET: secret,
      LOG_SIGNING_KEY: Buffer.alloc(32, 7).toString('base64url'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((done) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (/waiting for (?:NATS|the database)/u.test(output)) child.kill('SIGKILL');
      });
    }
    child.on('close', () => done(output));
  });
};

const kinds = serviceKinds.filter(({ eventLog }) => eventLog !== 'none');
const own = (kind: (typeof kinds)[number]): string => (kind.eventLog === 'writer' ? roles.writer : roles.reader);

describe.each(kinds)('$name', (kind) => {
  const { name } = kind;

  it('starts with a user of its own kind', async () => {
    const output = await startOf(name, own(kind));
    expect(output).toContain('waiting for');
    expect(output).not.toContain('EVENT_LOG_URL');
  });

  it('does not start with one of the other kind', async () => {
    const isWriter = kind.eventLog === 'writer';
    const output = await startOf(name, isWriter ? roles.reader : roles.writer);
    const why = isWriter
      ? 'lacks EXECUTE on FUNCTION event_log.append'
      : 'may do more than this service needs: EXECUTE';
    expect(output).toMatch(/cannot start: the event log at [\w.:]+ cannot be used: the user/u);
    expect(output).toContain(why);
    expect(output).not.toContain('waiting for');
  });

  it('starts with the owner of the log only where that is allowed, and says so', async () => {
    expect(await startOf(name, null)).toContain('Or set ALLOW_EXCESS_LOG_RIGHTS=true');
    const output = await startOf(name, null, { ALLOW_EXCESS_LOG_RIGHTS: 'true' });
    expect(output).toContain('waiting for');
    const lines = output.split('\n').filter((line) => line.includes('may do more than this service needs'));
    expect(lines).toEqual([expect.stringContaining('"level":"warn"')]);
  });
});
