import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@agent-trust/embedded-servers';
import { type EventLog, migratePostgresEventLog, openEventLog, openLogRetention } from '@agent-trust/event-log';
import { withArchivedLeaves } from '@agent-trust/log-archive';
import {
  openWriterSession,
  type ProjectedEvent,
  readCheckpoint,
  type ReadModel,
  type ReplayProgress,
  replayReadModel,
  startRunner,
} from '@agent-trust/projections';
import { waitFor } from '@agent-trust/test-kit';
import { frontierRoot, inclusionProof, sameHash, verifyInclusion } from '@agent-trust/transparency-log';
import pg from 'pg';
import { logRecordReadModel, logRecordSchema } from '../../services/trust-projection/src/audit/start-log-record.ts';
import { merkleTreeIn } from '../../services/trust-projection/src/audit/merkle-tree/queries.ts';
import { registryReadModel } from '../../services/trust-projection/src/projector/read-models/registry-read-model.ts';
import { openReadModelDatabase, readModelSchema } from '../../services/trust-projection/src/shared/database.ts';
import {
  archiveExchanges,
  type ArchiveProgress,
} from '../../services/trust-projection/src/tools/archive/archive-exchanges.ts';
import { verifiedLeavesIn } from '../../services/trust-projection/src/tools/archive/verified-leaves.ts';
import { fillLog } from './archive-log.ts';
import { type Progress, phases } from './phases.ts';
import { runReplay } from './replay-command.ts';

const proofs = 200;
const caughtUpTimeoutMs = 3 * 60 * 60_000;
const mib = 2 ** 20;
const tablesShown = 10;
const actor = { kind: 'system', id: 'bench' };
/** Of the events, so many are old enough to be archived; with those that stay among them, nine tenths are. */
const oldShare = 0.93;
/** A log of ten million events does not fit into the development stack's buffers, nor do its indexes into the memory that makes them. */
const databaseSettings = {
  shared_buffers: '512MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
};

const whole = (n: number): string => Math.round(n).toLocaleString('en');

const follow = async <Event extends ProjectedEvent>(
  url: string,
  log: EventLog,
  schema: string,
  readModel: ReadModel<Event>,
  progress: Progress,
): Promise<void> => {
  const connection = { connectionString: url };
  const session = await openWriterSession(connection, schema);
  const start = (await readCheckpoint(session, schema)).position ?? 0n;
  await session.end();
  const head = (await log.headPosition()) ?? 0n;
  const onCommit = (position: bigint): void => progress(Number(position - start) / Number(head - start));
  const runner = startRunner({ connection, schema, log, readModel, onCommit });
  await waitFor(() => runner.status().position === head, {
    timeoutMs: caughtUpTimeoutMs,
    description: `the end of the log in ${schema}`,
  });
  await runner.stop();
};

/**
 * `npm run bench -- archive --events n`: a log of that many events, of which nine tenths are archived. Shows disk, the time in which read
 * models are built from the log, and proofs of archived events, before and after; at the end a replay compares every row. Each figure is
 * said when it is there, so that a run of hours shows something if it is stopped.
 *
 * @returns whether nothing but disk and time has changed
 */
export async function benchArchive(eventCount: number, say: (line: string) => void): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-archive-'));
  const server = await startEmbeddedPostgres({
    dataDir: join(dataDir, 'postgres'),
    fsync: true,
    settings: databaseSettings,
  });
  const folder = join(dataDir, 'segments');
  try {
    return await measure(server, folder, eventCount, say);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** How long the steps of the archive took: reading the log stands for everything that is none of them. */
const stepTimes = () => {
  const seconds = new Map<string, number>();
  let [step, since] = ['read log', performance.now()];
  const begin = (next: string): void => {
    seconds.set(step, (seconds.get(step) ?? 0) + (performance.now() - since) / 1_000);
    [step, since] = [next, performance.now()];
  };
  return {
    begin,
    progress: ({ phase }: ArchiveProgress): void => {
      if (phase === 'archived') begin('read log');
    },
    text: () => {
      begin('read log');
      return [...seconds].map(([name, took]) => `${name} ${took.toFixed(1)} s`).join(', ');
    },
  };
};

const measure = async (
  server: EmbeddedPostgres,
  folder: string,
  eventCount: number,
  say: (line: string) => void,
): Promise<boolean> => {
  const url = new URL(server.url);
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query('CREATE DATABASE bench');
  await admin.end();
  url.pathname = '/bench';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public');
  await migratePostgresEventLog(url.href);
  const log = await openEventLog(url.href);
  const retention = await openLogRetention(url.href);
  const record = openReadModelDatabase(url.href, undefined, {
    poolName: 'log_record',
    schema: logRecordSchema,
    connectionsMax: 4,
  });
  const sizeOf = async (table: string): Promise<number> => {
    const { rows } = await client.query<{ size: string }>('SELECT pg_total_relation_size($1) AS size', [table]);
    return Number(rows[0]?.size) / mib;
  };
  const phase = phases(server.pid, say);
  const sayTables = async (when: string): Promise<void> => {
    const { rows } = await client.query<{ name: string; size: string }>(
      `SELECT format('%s.%s', n.nspname, c.relname) AS name, pg_total_relation_size(c.oid) AS size
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind = 'r' AND n.nspname IN ('event_log', $1, $2) ORDER BY size DESC LIMIT $3`,
      [readModelSchema, logRecordSchema, tablesShown],
    );
    say(
      `  largest tables ${when}: ${rows.map(({ name, size }) => `${name} ${whole(Number(size) / mib)} MiB`).join(', ')}`,
    );
  };
  const readModel = await registryReadModel();
  const logRecord = await logRecordReadModel();
  const withLeaves = withArchivedLeaves(log);
  const connection = { connectionString: url.href };
  const build = async <Event extends ProjectedEvent>(
    schema: string,
    from: EventLog,
    model: ReadModel<Event>,
    progress: Progress,
  ): Promise<number> => {
    const onProgress = ({ fraction }: ReplayProgress): void => progress(fraction);
    const options = { connection, schema, log: from, readModel: model, skipComparison: true, onProgress };
    const { events, eventsPerSecond } = await replayReadModel(options);
    return events / eventsPerSecond;
  };
  const buildRecord = (progress: Progress): Promise<number> => build(logRecordSchema, withLeaves, logRecord, progress);
  try {
    say(`Making a log of ${whole(eventCount)} events…`);
    await phase('log filled', (progress) => fillLog(client, eventCount, progress));
    const { result: buildBefore } = await phase('read models built', (progress) =>
      build(readModelSchema, log, readModel, progress),
    );
    const { seconds: recordBefore } = await phase('log record built', buildRecord);
    await phase('statistics', () => client.query('ANALYZE'));
    await sayTables('before');
    const treeBefore = await merkleTreeIn(record).head();
    const logBefore = await sizeOf('event_log.events');
    say(`  log ${whole(logBefore)} MiB; read models are built from it in ${buildBefore.toFixed(1)} s`);

    await mkdir(folder);
    const spent = stepTimes();
    const cutAt = BigInt(Math.floor(eventCount * oldShare));
    const [cut] = await log.readAt([cutAt]);
    const endedBefore = cut?.recordedAt ?? new Date(0);
    const { result: archived, seconds: archiveSeconds } = await phase('archive', async (progress) => {
      let events = 0;
      const onProgress = (step: ArchiveProgress): void => {
        spent.progress(step);
        if (step.phase !== 'archived') return;
        events += step.events;
        progress(events / Number(cutAt));
      };
      const parts = { log, retention, leaves: verifiedLeavesIn(record), folder, now: () => new Date(), actor };
      return archiveExchanges(parts, { endedBefore, beforeStep: spent.begin, onProgress });
    });
    say(`    of which ${spent.text()}`);
    let segmentBytes = 0;
    const files = await readdir(folder);
    for (const file of files) segmentBytes += (await stat(join(folder, file))).size;
    say(`  archived ${whole(archived.events)} events in ${files.length} segments, ${whole(segmentBytes / mib)} MiB`);
    await phase('read models follow', (progress) => follow(url.href, log, readModelSchema, readModel, progress));
    await phase('log record follows', (progress) => follow(url.href, withLeaves, logRecordSchema, logRecord, progress));
    await phase('vacuum full', () => client.query('VACUUM (FULL, ANALYZE) event_log.events'));
    const logAfter = await sizeOf('event_log.events');
    say(`  log ${whole(logBefore)} MiB → ${whole(logAfter)} MiB`);

    const tree = merkleTreeIn(record);
    const { frontier } = await tree.head();
    const size = frontier.size;
    const root = frontierRoot(frontier);
    let proved = 0;
    const { seconds: proofSeconds } = await phase('proofs', async () => {
      for (let n = 0; n < proofs; n += 1) {
        const index = Math.floor((treeBefore.frontier.size * n) / proofs);
        const leaf = await tree.leaf({ index });
        const proof = await inclusionProof(index, size, tree.hashes(size));
        if (leaf !== null && verifyInclusion({ index, size, leafHash: leaf.hash, root, proof })) proved += 1;
      }
    });
    say(`  ${proved} of ${proofs} proofs verified, ${((proofSeconds * 1_000) / proofs).toFixed(1)} ms each`);

    const { result: replay } = await phase('replay, every row compared', () =>
      runReplay({ DATABASE_URL: url.href, EVENT_LOG_URL: url.href }),
    );
    const buildAfter = replay.events / replay.eventsPerSecond;
    say(
      `  read models built in ${buildBefore.toFixed(1)} s → ${buildAfter.toFixed(1)} s, with every row compared and switched in ${replay.seconds.toFixed(1)} s, ${whole(replay.peakMib)} MiB at most`,
    );

    await client.query(`DROP SCHEMA ${logRecordSchema} CASCADE`);
    const { seconds: recordAfter } = await phase('log record built anew', buildRecord);
    await sayTables('after');
    const isSameTree = sameHash(frontierRoot((await merkleTreeIn(record).head()).frontier), root);
    say(
      `  log record built in ${recordBefore.toFixed(1)} s → ${recordAfter.toFixed(1)} s: ${isSameTree ? 'the same root' : 'ANOTHER ROOT'}`,
    );
    say(`  ${whole(archived.events)} of ${whole(eventCount)} events archived within ${archiveSeconds.toFixed(1)} s`);
    return proved === proofs && isSameTree;
  } finally {
    await record.close();
    await retention.close();
    await log.close();
    await client.end();
  }
};
