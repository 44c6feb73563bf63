/**
 * `npm run bench:replay`: how the cost of a replay grows with the log. Makes logs of the given lengths in a temporary Postgres, lets the live
 * projection build its read models, then runs the replay command, which compares every row of both, and samples its memory.
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@agent-trust/embedded-servers';
import { migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import { createSchema, openWriterSession, startRunner } from '@agent-trust/projections';
import { waitFor } from '@agent-trust/test-kit';
import pg from 'pg';
import { registryReadModel } from '../../services/trust-projection/src/projector/read-models/registry-read-model.ts';
import { readModelSchema } from '../../services/trust-projection/src/shared/database.ts';
import { appendHistory } from '../support/history.ts';
import { copyRows } from './copy-rows.ts';
import { type ReplayRun, runReplay } from './replay-command.ts';

const { values: options } = parseArgs({
  options: {
    // Events and agents of each log.
    logs: { type: 'string', default: '100000:1000,1000000:10000,1000000:1000' },
    out: { type: 'string', default: join(import.meta.dirname, '..', '..', 'docs', 'benchmarks-replay.md') },
  },
});
const catchUpTimeoutMs = 60 * 60_000;
const rateNeeded = 30_000;
const rateChangeMax = 0.15;
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const count = (n: number): string => Math.round(n).toLocaleString('en');

type Measured = ReplayRun & { agentCount: number; liveEventsPerSecond: number; rows: number; copySeconds: number };

/** Builds the read models by live projection; returns the events applied per second. */
const project = async (url: string): Promise<number> => {
  const connection = { connectionString: url };
  const log = await openEventLog(url);
  const readModel = await registryReadModel();
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
};

/** Makes Postgres do its deferred work (vacuum, statistics) now, so that it does not run beside the replay. */
const settle = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
  await client.end();
};

const measure = async (serverUrl: string, eventCount: number, agentCount: number): Promise<Measured> => {
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
    say(`Making a log of ${count(eventCount)} events, ${count(agentCount)} agents…`);
    await appendHistory(log, { seed: 1, eventCount, agentCount, prefix: 'history' });
    await log.close();
    say('  the live projection…');
    const liveEventsPerSecond = await project(url.href);
    say(`  ${count(liveEventsPerSecond)} events/s; the replay…`);
    await settle(url.href);
    const run = await runReplay({ DATABASE_URL: url.href, EVENT_LOG_URL: url.href });
    say(`  ${count(run.eventsPerSecond)} events/s; copying the rows…`);
    const { rows, seconds } = await copyRows(url.href);
    return { ...run, agentCount, liveEventsPerSecond, rows, copySeconds: seconds };
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
};

const row = (measured: Measured): string =>
  [
    count(measured.events),
    count(measured.agentCount),
    `${count(measured.eventsPerSecond)}/s`,
    `${measured.seconds.toFixed(1)} s`,
    count(measured.rows),
    `${measured.copySeconds.toFixed(1)} s`,
    (measured.copySeconds / (measured.events / measured.eventsPerSecond)).toFixed(2),
    `${count(measured.halfWayMib)} MiB`,
    `${count(measured.peakMib)} MiB`,
    `${count(measured.liveEventsPerSecond)}/s`,
  ].join(' | ');

const verdict = (isMet: boolean): string => (isMet ? 'met' : '**not met**');

/** The difference of a log's rate from the rate of the first log. */
const change = (first: Measured, other: Measured): string => {
  const part = other.eventsPerSecond / first.eventsPerSecond - 1;
  const which = `${count(other.events)} events of ${count(other.agentCount)} agents`;
  return `- ${verdict(Math.abs(part) <= rateChangeMax)}: the rate of the first log within ${rateChangeMax * 100} % with ${which} (${(part * 100).toFixed(1)} %)`;
};

const report = ([first, ...others]: readonly [Measured, ...Measured[]]): string => `# How a replay grows with the log

Made by \`npm run bench:replay\` on ${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, Node ${process.version}: agents, and between them exchanges and reviews.
The replay command builds every read model from event 0 beside the one that the live projection made, compares every row of both, and switches.
Two thirds of the agents have an \`org_domain\` of their own, so that an agent has nearly as many roots behind it as reviews.

| events | agents | building | whole command | rows | COPY of the same rows | COPY ÷ building | memory to half-way | memory at its highest | the live projection |
|---|---|---|---|---|---|---|---|---|---|
${[first, ...others].map((measured) => `| ${row(measured)} |`).join('\n')}

- ${verdict(first.eventsPerSecond >= rateNeeded)}: ${count(rateNeeded)} events a second with ${count(first.events)} events
${others.map((other) => change(first, other)).join('\n')}
`;

const server = await startEmbeddedPostgres({ ephemeral: true });
try {
  const measureNext = async (log = ''): Promise<Measured> => {
    const [events, agents] = log.split(':').map(Number);
    if (!events || !agents) throw new Error(`--logs must be a list of <events>:<agents>, not ${options.logs}`);
    return measure(server.url, events, agents);
  };
  const [first, ...others] = options.logs.split(',');
  const all: [Measured, ...Measured[]] = [await measureNext(first)];
  for (const log of others) all.push(await measureNext(log));
  const text = report(all);
  await writeFile(options.out, text);
  process.stdout.write(text);
} finally {
  await server.stop();
}
