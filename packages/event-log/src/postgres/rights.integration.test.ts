/**
 * Bugs: a service runs with a user that can change or remove events, by whatever way it came to that right; one that lacks a right starts, and
 * fails at the first request; a check says what to run, and running it does not help.
 * Method: real roles, each with one fault, and what the message says is carried out.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EventLogSetupError } from '../errors.ts';
import { openCheckedEventLog } from '../open-event-log.ts';
import type { LogUse } from '../rights/report.ts';
import { grantEventLogAccess, migratePostgresEventLog } from './migrate.ts';

const id = randomUUID().slice(0, 8);
const writer = `writer_${id}`;
const reader = `Reader-${id}`;
const other = `other_${id}`;
const between = `between_${id}`;
const roles = [writer, reader, other, between];
const [quotedWriter, quotedReader, quotedOther, quotedBetween] = roles.map((role) => pg.escapeIdentifier(role));

let database: TestDatabase;
let said: string[];

const asOwner = async (sql: string): Promise<void> => {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};
const urlOf = (role: string): string => {
  const url = new URL(database.url);
  [url.username, url.password] = [encodeURIComponent(role), 'p'];
  return url.href;
};
const open = async (url: string, use: LogUse, refusesExcess = true): Promise<void> => {
  const rights = { use, refusesExcess, sayExcess: (line: string) => void said.push(line) };
  const log = await openCheckedEventLog(url, { applicationName: 'rights', rights });
  await log.close();
};
const refusalOf = async (url: string, use: LogUse): Promise<string> => {
  const error: unknown = await open(url, use).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(EventLogSetupError);
  return (error as Error).message;
};

beforeAll(async () => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  for (const role of roles) await asOwner(`create role ${pg.escapeIdentifier(role)} login password 'p'`);
});
afterAll(async () => {
  for (const role of roles)
    await asOwner(`drop owned by ${pg.escapeIdentifier(role)}; drop role ${pg.escapeIdentifier(role)}`);
  await database.drop();
});
beforeEach(async () => {
  said = [];
  await grantEventLogAccess(database.url, { writers: [writer], readers: [reader] });
});

describe('a service', () => {
  test('starts with exactly its rights, and says nothing', async () => {
    await open(urlOf(writer), 'append');
    await open(urlOf(reader), 'read');
    expect(said).toEqual([]);
  });

  test('that only reads is refused with the user of a writer', async () => {
    const message = await refusalOf(urlOf(writer), 'read');
    expect(message).toMatch(/may do more than this service needs: EXECUTE on FUNCTION event_log\.append\(/u);
    expect(message).toContain('ALLOW_EXCESS_LOG_RIGHTS=true');
  });

  test.each([
    ['a superuser', `alter role ${quotedWriter} superuser`, `alter role ${quotedWriter} nosuperuser`, 'superuser'],
    [
      'the owner of the table',
      `alter table event_log.events owner to ${quotedWriter}`,
      'alter table event_log.events owner to current_user',
      'ownership on event_log.events',
    ],
    [
      'the owner of a function that a trigger calls',
      `alter function event_log.refuse_change() owner to ${quotedWriter}`,
      'alter function event_log.refuse_change() owner to current_user',
      'ownership on FUNCTION event_log.refuse_change()',
    ],
    [
      'the owner of the database',
      `alter database ${'$db'} owner to ${quotedWriter}`,
      `alter database ${'$db'} owner to current_user`,
      'ownership on DATABASE',
    ],
  ])('is refused as %s, and told to name a role of its own', async (_, break_, restore, right) => {
    await asOwner(break_.replace('$db', database.name));
    try {
      const message = await refusalOf(urlOf(writer), 'append');
      expect(message).toContain(right);
      expect(message).toContain('npm run log:roles');
    } finally {
      await asOwner(restore.replace('$db', database.name));
    }
    // The grants to an owner went with its ownership.
    await grantEventLogAccess(database.url, { writers: [writer], readers: [reader] });
    await open(urlOf(writer), 'append');
  });

  test.each([
    ['UPDATE', `grant update on event_log.events to ${quotedWriter}`],
    ['UPDATE', `grant update (data) on event_log.events to ${quotedWriter}`],
    ['INSERT', `grant insert on event_log.events to ${quotedWriter}`],
    ['TRUNCATE', 'grant truncate on event_log.events to public'],
    ['TRIGGER', `grant trigger on event_log.events to ${quotedWriter}`],
    ['UPDATE on event_log.log_format', `grant update on event_log.log_format to ${quotedWriter}`],
    ['CREATE on SCHEMA event_log', `grant create on schema event_log to ${quotedWriter}`],
    [
      'EXECUTE on FUNCTION event_log.remove_archived',
      `grant execute on function event_log.remove_archived to ${quotedWriter}`,
    ],
    ['through', `grant delete on event_log.events to ${quotedOther}; grant ${quotedOther} to ${quotedWriter}`],
    // Not used by itself, but the user can take it.
    [
      'through',
      `grant delete on event_log.events to ${quotedOther}; grant ${quotedOther} to ${quotedWriter} with inherit false, set true`,
    ],
    // Through a role that is a member of another one, and one whose rights the user can only give to itself.
    [
      `DELETE on event_log.events through ${other}`,
      `grant delete on event_log.events to ${quotedOther}; grant ${quotedOther} to ${quotedBetween}; grant ${quotedBetween} to ${quotedWriter}`,
    ],
    [
      `DELETE on event_log.events through ${other}`,
      `grant delete on event_log.events to ${quotedOther}; grant ${quotedOther} to ${quotedBetween};
       grant ${quotedBetween} to ${quotedWriter} with admin true, inherit false, set false`,
    ],
    [
      'EXECUTE on FUNCTION public.mend_event()',
      `create or replace function public.mend_event() returns void language sql security definer
         begin atomic delete from event_log.events; end`,
    ],
    ['membership in pg_write_all_data', `grant pg_write_all_data to ${quotedWriter}`],
    ['membership in pg_execute_server_program', `grant pg_execute_server_program to ${quotedWriter}`],
  ])('is refused with %s after "%s", until what it says is run', async (right, grant) => {
    await asOwner(grant);
    const message = await refusalOf(urlOf(writer), 'append');
    expect(message).toContain(right);
    expect(message).toContain(writer);
    const [, mend = ''] = /To mend it: (REVOKE .*)\. Or set/u.exec(message) ?? [];
    await asOwner(mend);
    await open(urlOf(writer), 'append');
  });

  test.each([
    ['append', `revoke execute on all functions in schema event_log from ${quotedWriter}`, writer],
    ['append', `revoke select on event_log.events from ${quotedWriter}`, writer],
    ['append', `revoke select on event_log.log_format from ${quotedWriter}`, writer],
    ['read', `revoke usage on schema event_log from ${quotedReader}`, reader],
    ['read', `revoke all on all tables in schema event_log from ${quotedReader}`, reader],
  ] as const)('that needs to %s is refused after "%s", until what it says is run', async (use, revoke, role) => {
    await asOwner(revoke);
    const message = await refusalOf(urlOf(role), use);
    expect(message).toContain('lacks');
    const [, mend = ''] = /To mend it: (GRANT .*)\.$/u.exec(message) ?? [];
    await asOwner(mend);
    await open(urlOf(role), use);
  });

  test('starts where its user finds the schema of the log without its name', async () => {
    await asOwner(`alter role ${quotedWriter} set search_path to event_log`);
    try {
      await expect(open(urlOf(writer), 'append')).resolves.toBeUndefined();
    } finally {
      await asOwner(`alter role ${quotedWriter} reset search_path`);
    }
  });

  test('starts with more than it needs where that is allowed, and says so in one line', async () => {
    await open(database.url, 'read', false);
    expect(said).toEqual([
      expect.stringMatching(/may do more than this service needs: everything \(it is a superuser\)$/u),
    ]);
  });
});

test('npm run log:roles makes a log whose roles have exactly their rights', async () => {
  const fresh = await createTestDatabase();
  const run = (args: readonly string[], ownerUrl = fresh.url): Promise<{ stdout: string }> =>
    promisify(execFile)(process.execPath, [new URL('../main/log-roles.ts', import.meta.url).pathname, ...args], {
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
        EVENT_LOG_OWNER_URL: ownerUrl,
      },
    });
  const given = ['--writer', writer, '--reader', reader, '--retention', other];
  try {
    const on = (role: string): string => urlOf(role).replace(database.name, fresh.name);
    expect((await run(given)).stdout).toMatch(/^Migrations of the event log: 1, [^]*: reads\n/u);
    await open(on(writer), 'append');
    await open(on(reader), 'read');
    expect(await refusalOf(on(other), 'append')).toContain('event_log.remove_archived');
    expect((await run(given)).stdout).toContain('The event log is up to date.');
    await expect(run(given, '')).rejects.toThrow('Set EVENT_LOG_OWNER_URL');
    await expect(run(['--writer', writer, '--reader', writer])).rejects.toThrow('is given twice');
  } finally {
    await fresh.drop();
  }
});
