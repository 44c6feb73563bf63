import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@agent-trust/embedded-servers';
import { migratePostgresEventLog, openEventLog, openLogRetention } from '@agent-trust/event-log';
import { frontierRoot, inclusionProof, sameHash, verifyInclusion } from '@agent-trust/transparency-log';
import pg from 'pg';
import { logRecordSchema } from '../../services/trust-projection/src/audit/start-log-record.ts';
import { merkleTreeIn } from '../../services/trust-projection/src/audit/merkle-tree/queries.ts';
import { openReadModelDatabase, readModelSchema } from '../../services/trust-projection/src/shared/database.ts';
import {
  archiveExchanges,
  type ArchiveProgress,
  type ArchiveStep,
} from '../../services/trust-projection/src/tools/archive/archive-exchanges.ts';
import { verifiedLeavesIn } from '../../services/trust-projection/src/tools/archive/verified-leaves.ts';
import { fillLog } from './archive-log.ts';
import { buildInThread, followInThread, type SchemaName, schemas } from './archive-projections.ts';
import { phases } from './phases.ts';
import { runReplay } from './replay-command.ts';

const proofs = 200;
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

/**
 * `npm run bench -- archive --events n`: a log of that many events, of which nine tenths are archived. Shows disk, the time in which read
 * models and the log record are built from the log, and proofs of archived events, before and after; at the end a replay compares every
 * row. What a registry does at the same time is done at the same time: both are built side by side, and follow the log while it is
 * archived. Each figure is said when it is there, so that a long run shows something if it is stopped.
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

/** How long the steps of the archive took in all; those of different segments overlap. */
const stepTimes = () => {
  const milliseconds = new Map<ArchiveStep, number>();
  const add = (step: ArchiveStep, ms: number): void => void milliseconds.set(step, (milliseconds.get(step) ?? 0) + ms);
  return {
    beforeStep: (step: ArchiveStep): void => add(step, -performance.now()),
    afterStep: (step: ArchiveStep): void => add(step, performance.now()),
    text: () => [...milliseconds].map(([step, ms]) => `${step} ${(ms / 1_000).toFixed(1)} s`).join(', '),
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
  /** Both at the same time. @returns the seconds of each */
  const buildBoth = (name: string) =>
    phase(name, (progress) => {
      const fractions = new Map<SchemaName, number>();
      return Promise.all(
        schemas.map(async (schema) => {
          const seconds = await buildInThread(url.href, schema, (fraction) => {
            fractions.set(schema, fraction);
            progress([...fractions.values()].reduce((sum, each) => sum + each, 0) / schemas.length);
          });
          say(`      ${schema}: ${seconds.toFixed(1)} s`);
          return seconds;
        }),
      );
    });
  try {
    say(`Making a log of ${whole(eventCount)} events…`);
    await phase('log filled', (progress) => fillLog(client, eventCount, progress));
    const { result: before } = await buildBoth('read models and log record built');
    const [buildBefore = 0, recordBefore = 0] = before;
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
    const following = schemas.map((schema) => followInThread(url.href, schema));
    const { result: archived, seconds: archiveSeconds } = await phase('archive', (progress) => {
      let events = 0;
      const onProgress = (step: ArchiveProgress): void => {
        if (step.phase !== 'archived') return;
        events += step.events;
        progress(events / Number(cutAt));
      };
      const parts = { log, retention, leaves: verifiedLeavesIn(record), folder, now: () => new Date(), actor };
      const { beforeStep, afterStep } = spent;
      return archiveExchanges(parts, { endedBefore, beforeStep, afterStep, onProgress });
    });
    say(`    of which ${spent.text()}`);
    let segmentBytes = 0;
    const files = await readdir(folder);
    for (const file of files) segmentBytes += (await stat(join(folder, file))).size;
    say(`  archived ${whole(archived.events)} events in ${files.length} segments, ${whole(segmentBytes / mib)} MiB`);
    const head = (await log.headPosition()) ?? 0n;
    await phase('both have followed', () => Promise.all(following.map((reach) => reach(head))));
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

    await client.query(`DROP SCHEMA ${logRecordSchema} CASCADE`);
    const { result: after } = await phase('replay, every row compared, and log record built anew', (progress) =>
      Promise.all([
        runReplay({ DATABASE_URL: url.href, EVENT_LOG_URL: url.href }),
        buildInThread(url.href, logRecordSchema, progress),
      ]),
    );
    const [replay, recordAfter] = after;
    const buildAfter = replay.events / replay.eventsPerSecond;
    say(
      `  read models built in ${buildBefore.toFixed(1)} s → ${buildAfter.toFixed(1)} s, with every row compared and switched in ${replay.seconds.toFixed(1)} s, ${whole(replay.peakMib)} MiB at most`,
    );
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
