import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Stack } from '@agent-trust/dev-stack';
import { openEventLog } from '@agent-trust/event-log';
import { waitFor } from '@agent-trust/test-kit';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { appendHistory } from '../support/history.ts';
import { httpTo } from '../support/registry.ts';

const replayFile = join(import.meta.dirname, '..', '..', 'services', 'trust-projection', 'src', 'main', 'replay.ts');
const catchUpTimeoutMs = 10 * 60_000;

export type ReplayBench = {
  events: number;
  /** Of the whole command: building, comparing every row, switching. */
  commandSeconds: number;
  /** Of building alone, as the command reports it. */
  eventsPerSecond: number;
  rows: number;
  /** Rows per second of copying the finished rows into empty tables of the same shape, in one session. */
  copiedRowsPerSecond: number;
  copySeconds: number;
  /** The live projection catching up with the same events. */
  liveEventsPerSecond: number;
};

const tablesOf = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ tablename: string }>(
    `SELECT tablename FROM pg_tables WHERE schemaname = 'read_models' ORDER BY tablename`,
  );
  return rows.map(({ tablename }) => pg.escapeIdentifier(tablename));
};

/** Copies every read-model row into an empty table of the same shape and indexes: what writing these rows costs at the least. */
const copyRows = async (databaseUrl: string): Promise<{ rows: number; seconds: number }> => {
  const [source, target] = [databaseUrl, databaseUrl].map((connectionString) => new pg.Client({ connectionString }));
  if (source === undefined || target === undefined) throw new Error('two sessions');
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
};

type ReplayRun = { seconds: number; events: number; eventsPerSecond: number };

/** The command's own account of itself: «Replayed 100,000 events in 2.5 s (40,000 a second).» */
const accountPattern = /^Replayed ([\d,]+) events? in [\d.,]+ s \(([\d,]+) a second\)/mu;
const figure = (text: string | undefined): number => Number(text?.replaceAll(',', ''));

const runReplay = async (environment: Readonly<Record<string, string>>): Promise<ReplayRun> => {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [replayFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the replay ended with ${code}: ${output.slice(-2_000)}`);
  const account = accountPattern.exec(output);
  if (account === null) throw new Error(`the replay did not say how fast it was: ${output.slice(-2_000)}`);
  const [, events, eventsPerSecond] = account;
  return {
    seconds: (performance.now() - startedAt) / 1_000,
    events: figure(events),
    eventsPerSecond: figure(eventsPerSecond),
  };
};

/** `pnpm replay` of a seeded history beside COPY of the rows that it makes. */
export const benchReplay = async (stack: Stack, databaseUrl: string, eventCount: number): Promise<ReplayBench> => {
  const log = await openEventLog(databaseUrl);
  const http = httpTo(stack.url);
  try {
    const before = performance.now();
    const { events, position } = await appendHistory(log, {
      seed: 1,
      eventCount,
      agentCount: 1_000,
      prefix: 'history',
    });
    await waitFor(
      async () => {
        const { body } = await http.get('/health');
        const projection = body['projection'] as { position: string | null };
        return BigInt(projection.position ?? '-1') >= position;
      },
      { timeoutMs: catchUpTimeoutMs, intervalMs: 100, description: 'the projection caught up with the history' },
    );
    const liveSeconds = (performance.now() - before) / 1_000;
    const replay = await runReplay(stack.environment);
    const copied = await copyRows(databaseUrl);
    return {
      events: replay.events,
      commandSeconds: replay.seconds,
      eventsPerSecond: replay.eventsPerSecond,
      rows: copied.rows,
      copySeconds: copied.seconds,
      copiedRowsPerSecond: copied.rows / copied.seconds,
      liveEventsPerSecond: events / liveSeconds,
    };
  } finally {
    await log.close();
  }
};
