import { randomBytes } from 'node:crypto';
import { type EventLog, migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import { createSchema, openWriterSession, startRunner } from '@agent-trust/projections';
import { waitFor } from '@agent-trust/test-kit';
import { type AnyTrustPolicy, policyV1 } from '@agent-trust/trust-policy';
import pg from 'pg';
import { readActivatedPolicies } from '../../services/trust-projection/src/projector/activated-policies.ts';
import { registryReadModel } from '../../services/trust-projection/src/projector/read-models/registry-read-model.ts';
import { readModelSchema } from '../../services/trust-projection/src/shared/database.ts';
import { appendActivation } from '../../services/trust-projection/src/testing/append-activation.ts';
import { appendHistory } from '../support/history.ts';
import { copyRows } from './copy-rows.ts';
import { type ReplayRun, runReplay } from './replay-command.ts';

const catchUpTimeoutMs = 60 * 60_000;

/** What a replay and the live projection are to reach with every log. */
export const replayAims = {
  /** Of building. */
  eventsPerSecondMin: 50_000,
  memoryMibMax: 1_024,
  liveEventsPerSecondMin: 15_000,
  /** By which the live projection may differ between a short log and a long one of as many agents. */
  liveChangeMax: 0.15,
} as const;

export type LogSize = {
  eventCount: number;
  agentCount: number;
  /** Of the exchanges that were reviewed. */
  reviewShare?: number;
  /** In force from the first event on; v1 if absent. */
  policy?: AnyTrustPolicy;
};

export type MeasuredLog = ReplayRun & {
  agentCount: number;
  /** One projector that catches up with the whole log, nothing else running. */
  liveEventsPerSecond: number;
  rows: number;
  /** Copying the finished rows into empty tables with the same columns and indexes, in one session. */
  copySeconds: number;
};

/** A short log, and with `large` two long ones. */
export async function benchReplay(
  serverUrl: string,
  eventCount: number,
  large: boolean,
  say: (line: string) => void,
): Promise<{ first: MeasuredLog; large: MeasuredLog[] }> {
  const first = await measureLog(serverUrl, { eventCount, agentCount: 1_000 }, say);
  const longLogs = large ? [10_000, 1_000] : [];
  const measured: MeasuredLog[] = [];
  for (const agentCount of longLogs)
    measured.push(await measureLog(serverUrl, { eventCount: 1_000_000, agentCount }, say));
  return { first, large: measured };
}

const count = (n: number): string => Math.round(n).toLocaleString('en');

/** Builds the read models by live projection; returns the events applied per second. */
export async function project(url: string): Promise<number> {
  const connection = { connectionString: url };
  const log = await openEventLog(url);
  const readModel = await registryReadModel({ policies: () => readActivatedPolicies(log) });
  const session = await openWriterSession(connection, readModelSchema);
  await createSchema(session, readModelSchema, readModel.schema);
  await session.end();
  const head = (await log.headPosition()) ?? 0n;
  const startedAt = performance.now();
  const runner = startRunner({ connection, schema: readModelSchema, log, readModel });
  await waitFor(() => runner.status().position === head, {
    timeoutMs: catchUpTimeoutMs,
    description: 'the end of the log',
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  await runner.stop();
  await log.close();
  return Number(head) / seconds;
}

/** Makes Postgres do its deferred work (vacuum, statistics) now, so that it does not run beside the replay. */
export async function settle(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
  await client.end();
}

/** Runs `use` with an empty log in a database of its own on a server. */
export async function withLog<Made>(
  serverUrl: string,
  use: (url: string, log: EventLog) => Promise<Made>,
): Promise<Made> {
  const name = `bench_${randomBytes(4).toString('hex')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  try {
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public');
    await client.end();
    await migratePostgresEventLog(url.href);
    const log = await openEventLog(url.href);
    try {
      return await use(url.href, log);
    } finally {
      await log.close();
    }
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}

/** Makes a log, lets a projector build its read models, then runs the replay command, which compares every row of both, and copies the rows. */
export function measureLog(
  serverUrl: string,
  { eventCount, agentCount, reviewShare, policy = policyV1 }: LogSize,
  say: (line: string) => void,
): Promise<MeasuredLog> {
  return withLog(serverUrl, async (url, log) => {
    say(`Making a log of ${count(eventCount)} events, ${count(agentCount)} agents…`);
    if (policy.name !== policyV1.name) await appendActivation(log, policy, 0);
    await appendHistory(log, { seed: 1, eventCount, agentCount, prefix: 'history', reviewShare });
    say('  the live projection…');
    const liveEventsPerSecond = await project(url);
    say(`  ${count(liveEventsPerSecond)} events/s; the replay…`);
    await settle(url);
    const run = await runReplay({ DATABASE_URL: url, EVENT_LOG_URL: url });
    say(`  ${count(run.eventsPerSecond)} events/s; copying the rows…`);
    const { rows, seconds } = await copyRows(url);
    return { ...run, agentCount, liveEventsPerSecond, rows, copySeconds: seconds };
  });
}
