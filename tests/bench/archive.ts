import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@agent-trust/embedded-servers';
import { type EventLog, migratePostgresEventLog, openEventLog, openLogRetention } from '@agent-trust/event-log';
import { withArchivedLeaves } from '@agent-trust/log-archive';
import {
  createSchema,
  openWriterSession,
  type ProjectedEvent,
  type ReadModel,
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
  type ArchiveReport,
} from '../../services/trust-projection/src/tools/archive/archive-exchanges.ts';
import { verifiedLeavesIn } from '../../services/trust-projection/src/tools/archive/verified-leaves.ts';
import { fillLog } from './archive-log.ts';
import { type ReplayRun, runReplay } from './replay-command.ts';

const proofs = 200;
const caughtUpTimeoutMs = 60 * 60_000;
const mib = 2 ** 20;
const tablesShown = 10;
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
): Promise<void> => {
  const connection = { connectionString: url };
  const session = await openWriterSession(connection, schema);
  await createSchema(session, schema, readModel.schema);
  await session.end();
  const head = await log.headPosition();
  const runner = startRunner({ connection, schema, log, readModel });
  await waitFor(() => runner.status().position === head, {
    timeoutMs: caughtUpTimeoutMs,
    description: `the end of the log in ${schema}`,
  });
  await runner.stop();
};

/**
 * `npm run bench -- archive --events n`: a log of that many events, of which nine tenths are archived. Shows disk, the time of a replay,
 * which compares every row, and proofs of archived events, before and after. @returns whether nothing but disk and time has changed
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
    return await measure(server.url, folder, eventCount, say);
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
  serverUrl: string,
  folder: string,
  eventCount: number,
  say: (line: string) => void,
): Promise<boolean> => {
  const url = new URL(serverUrl);
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
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    await work();
    return (performance.now() - startedAt) / 1_000;
  };
  const phase = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
    const result = await work();
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const { user, system } = process.cpuUsage(cpu);
    const used = ((user + system) / 1_000_000).toFixed(1);
    say(
      `    ${name}: ${seconds} s, ${used} s of processor here, ${whole(process.memoryUsage.rss() / mib)} MiB resident`,
    );
    return result;
  };
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
  const replay = (): Promise<ReplayRun> => runReplay({ DATABASE_URL: url.href, EVENT_LOG_URL: url.href });
  const readModel = await registryReadModel();
  const logRecord = await logRecordReadModel();
  const withLeaves = withArchivedLeaves(log);
  const connection = { connectionString: url.href };
  const buildRecord = (): Promise<unknown> =>
    replayReadModel({
      connection,
      schema: logRecordSchema,
      log: withLeaves,
      readModel: logRecord,
      skipComparison: true,
    });
  try {
    say(`Making a log of ${whole(eventCount)} events…`);
    await phase('log filled', () => fillLog(client, eventCount));
    await phase('read models built', () =>
      replayReadModel({ connection, schema: readModelSchema, log, readModel, skipComparison: true }),
    );
    await phase('log record built', buildRecord);
    await phase('statistics', () => client.query('ANALYZE'));
    await sayTables('before');
    const treeBefore = await merkleTreeIn(record).head();
    const logBefore = await sizeOf('event_log.events');
    const replayBefore = await phase('replay', replay);
    say(
      `  log ${whole(logBefore)} MiB; a replay takes ${replayBefore.seconds.toFixed(1)} s, ${whole(replayBefore.peakMib)} MiB at most`,
    );

    await mkdir(folder);
    let archived = 0;
    const spent = stepTimes();
    const runArchive = (endedBefore: Date): Promise<ArchiveReport> =>
      archiveExchanges(
        {
          log,
          retention,
          leaves: verifiedLeavesIn(record),
          folder,
          now: () => new Date(),
          actor: { kind: 'system', id: 'bench' },
        },
        { endedBefore, beforeStep: spent.begin, onProgress: spent.progress },
      );
    const [cut] = await log.readAt([BigInt(Math.floor(eventCount * oldShare))]);
    const archiveSeconds = await timed(async () => {
      const report = await phase('archive', () => runArchive(cut?.recordedAt ?? new Date(0)));
      archived = report.events;
    });
    say(`    of which ${spent.text()}`);
    let segmentBytes = 0;
    const files = await readdir(folder);
    for (const file of files) segmentBytes += (await stat(join(folder, file))).size;
    await phase('read models follow', () => follow(url.href, log, readModelSchema, readModel));
    await phase('log record follows', () => follow(url.href, withLeaves, logRecordSchema, logRecord));
    await phase('vacuum full', () => client.query('VACUUM (FULL, ANALYZE) event_log.events'));
    const logAfter = await sizeOf('event_log.events');
    const replayAfter = await phase('replay', replay);

    const tree = merkleTreeIn(record);
    const { frontier } = await tree.head();
    const size = frontier.size;
    const root = frontierRoot(frontier);
    let proved = 0;
    const proofSeconds = await timed(async () => {
      for (let n = 0; n < proofs; n += 1) {
        const index = Math.floor((treeBefore.frontier.size * n) / proofs);
        const leaf = await tree.leaf({ index });
        const proof = await inclusionProof(index, size, tree.hashes(size));
        if (leaf !== null && verifyInclusion({ index, size, leafHash: leaf.hash, root, proof })) proved += 1;
      }
    });
    await client.query(`DROP SCHEMA ${logRecordSchema} CASCADE`);
    const rebuildSeconds = await timed(() => phase('log record built anew', buildRecord));
    await sayTables('after');
    const rebuilt = await merkleTreeIn(record).head();
    const isSameTree = sameHash(frontierRoot(rebuilt.frontier), root);
    say(`  archived ${whole(archived)} events in ${files.length} segments within ${archiveSeconds.toFixed(1)} s`);
    say(`  log ${whole(logBefore)} MiB → ${whole(logAfter)} MiB; segments ${whole(segmentBytes / mib)} MiB`);
    say(
      `  replay ${replayBefore.seconds.toFixed(1)} s → ${replayAfter.seconds.toFixed(1)} s, every row compared, ${whole(replayAfter.peakMib)} MiB at most`,
    );
    say(`  ${proved} of ${proofs} proofs verified, ${((proofSeconds * 1_000) / proofs).toFixed(1)} ms each`);
    say(`  tree built anew in ${rebuildSeconds.toFixed(1)} s: ${isSameTree ? 'the same root' : 'ANOTHER ROOT'}`);
    return proved === proofs && isSameTree;
  } finally {
    await record.close();
    await retention.close();
    await log.close();
    await client.end();
  }
};
