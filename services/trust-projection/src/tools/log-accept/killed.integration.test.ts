/*
 * Bug: the command that accepts an older log is killed half-way, and what was computed stays of two logs: the next run says that there is
 * nothing to accept, or fails, or takes lost events for present ones. Or it works with the embedded log only.
 * Method: read models in Postgres follow a log in EventStoreDB (a stand-in), of which an older copy is restored; the command runs as a process
 * and is killed with SIGKILL at each of its phases, then run to its end.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openEventLog, openLogRetention } from '@agent-trust/event-log';
import { type ServerProcess, startServerProcess } from '@agent-trust/event-log/test-server';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSigningSchema } from '../../log-signing/signed-head-schema.ts';
import { appendHistory, makeHistory } from '../../testing/made-history.ts';
import { type FollowedLog, followedLog } from '../archive/testing/followed-log.ts';
import { inspectLog } from './inspect-log.ts';

/** Events that the older copy lacks. */
const lost = 150;
let server: ServerProcess;
let followed: FollowedLog;

beforeEach(async () => {
  server = await startServerProcess();
  const log = await openEventLog(server.url);
  await log.checkFormat();
  followed = await followedLog({ log, retention: await openLogRetention(server.url) });
  await appendHistory(log, makeHistory({ agents: 10, exchanges: 150, seed: 1 }));
  await followed.follow();
  await query(createSigningSchema);
  await server.ask('keepFirst', (await server.ask('role')).events - lost);
}, 60_000);
afterEach(async () => {
  await followed.close();
  await server.close();
});

const query = async <Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client(followed.url);
  await client.connect();
  return work(client).finally(() => client.end());
};

/** Runs the command; kills it as soon as the database says what is asked for. */
const accept = async (
  killWhen: string | null,
): Promise<{ code: number | null; signal: string | null; output: string }> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), '--yes'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
      DATABASE_URL: followed.url,
      EVENT_LOG_URL: server.url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  if (killWhen !== null) {
    await query(async (client) => {
      while (child.exitCode === null && child.signalCode === null) {
        const { rows } = await client.query<{ now: boolean }>(`SELECT (${killWhen}) AS now`);
        if (rows[0]?.now === true) return child.kill('SIGKILL');
      }
      return false;
    });
  }
  const [code, signal] = await closed;
  return { code, signal, output };
};

const begun = 'SELECT count(*) = 1 FROM log_signing.accepted_log WHERE completed_at IS NULL';
const recordDone = `SELECT position < (SELECT max(position) FROM read_models.projection_checkpoint) FROM log_record.projection_checkpoint`;

it.each([
  ['it has begun', begun],
  ['the log record is computed and the read models are not', recordDone],
])('goes on where it was, if it was killed when %s', { timeout: 120_000 }, async (_, moment) => {
  const { agreedPosition, lostEvents, fault } = await inspectLog(followed.log, followed.record);
  expect([fault, lostEvents]).toEqual([expect.stringContaining('has no event at position'), lost]);
  expect(await accept(moment)).toMatchObject({ signal: 'SIGKILL' });
  // Until it is complete, nothing is written, whoever looks.
  expect((await inspectLog(followed.log, followed.record)).fault).not.toBeNull();

  const finished = await accept(null);
  expect(finished).toMatchObject({ code: 0, output: expect.stringContaining('Accepted: ') as unknown });
  expect(await inspectLog(followed.log, followed.record)).toMatchObject({
    fault: null,
    agreedPosition: await followed.log.headPosition(),
    lostEvents: 0,
  });
  const rows = await query((client) =>
    client.query(
      'SELECT agreed_position::text AS agreed, completed_at IS NOT NULL AS done FROM log_signing.accepted_log',
    ),
  );
  expect(rows.rows).toEqual([{ agreed: String(agreedPosition), done: true }]);
  expect(await accept(null)).toMatchObject({
    code: 0,
    output: expect.stringContaining('nothing to accept') as unknown,
  });
});
