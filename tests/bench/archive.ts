import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@agent-trust/embedded-servers';
import {
  type EventLog,
  type JsonObject,
  migratePostgresEventLog,
  openEventLog,
  openLogRetention,
} from '@agent-trust/event-log';
import { withArchivedLeaves } from '@agent-trust/log-archive';
import {
  createSchema,
  openWriterSession,
  type ProjectedEvent,
  type ReadModel,
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
  agentRegistered,
  exchangeCompleted,
  exchangeReviewed,
  exchangeStarted,
  type MadeEvent,
  production,
} from '../../services/trust-projection/src/testing/made-events.ts';
import { archiveExchanges } from '../../services/trust-projection/src/tools/archive/archive-exchanges.ts';
import { verifiedLeavesIn } from '../../services/trust-projection/src/tools/archive/verified-leaves.ts';
import { runReplay } from './replay-command.ts';

const agentCount = 1_000;
const concurrentAppends = 1_000;
const proofs = 200;
const caughtUpTimeoutMs = 60 * 60_000;
const mib = 2 ** 20;

const whole = (n: number): string => Math.round(n).toLocaleString('en');

/** Agents, then exchanges, of which every thirty-third is reviewed: about nine tenths of the events can be archived with the last tenth young. */
function* madeLog(eventCount: number): Generator<MadeEvent[]> {
  const at = new Date().toISOString();
  for (let n = 0; n < agentCount; n += 1) yield [agentRegistered({ agentId: `agent-${n}`, orgId: `org${n % 40}` }, at)];
  const exchanges = Math.round((eventCount - agentCount) / (2 + 1 / 33));
  for (let n = 0; n < exchanges; n += 1) {
    const receiver = Math.floor((n * 7919) % agentCount);
    const parties = {
      transactionId: randomUUID(),
      callerAgentId: `agent-${(receiver + 1 + (n % 97)) % agentCount}`,
      receiverAgentId: `agent-${receiver}`,
      universe: production,
    };
    const review = {
      success: true,
      score: 8,
      trustScore: 60,
      roots: { [`org${n % 40}.test`]: 1 },
      orgDomain: `org${n % 40}.test`,
    };
    yield [
      exchangeStarted(parties, at),
      exchangeCompleted(parties, at),
      ...(n % 33 === 0 ? [exchangeReviewed(parties, at, review)] : []),
    ];
  }
}

const appendAll = async (log: EventLog, eventCount: number): Promise<void> => {
  let appends: Promise<unknown>[] = [];
  for (const events of madeLog(eventCount)) {
    const [first] = events;
    if (first === undefined) continue;
    const made = events.map(({ event }) => ({
      eventId: randomUUID(),
      type: event.type,
      data: event.data as unknown as JsonObject,
      metadata: { correlationId: randomUUID(), schemaVersion: event.type === 'ExchangeReviewed' ? 2 : 1 },
    }));
    appends.push(log.append(first.stream, made, { expectedRevision: 'no_stream', deadlineMs: 60_000 }));
    if (appends.length < concurrentAppends) continue;
    await Promise.all(appends);
    appends = [];
  }
  await Promise.all(appends);
};

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
  const server = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), fsync: true });
  const folder = join(dataDir, 'segments');
  try {
    return await measure(server.url, folder, eventCount, say);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

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
  const followBoth = async (): Promise<void> => {
    await follow(url.href, log, readModelSchema, await registryReadModel());
    await follow(url.href, withArchivedLeaves(log, { youngMs: 0 }), logRecordSchema, await logRecordReadModel());
  };
  try {
    say(`Making a log of ${whole(eventCount)} events…`);
    await appendAll(log, eventCount);
    await followBoth();
    await client.query('VACUUM ANALYZE');
    const treeBefore = await merkleTreeIn(record).head();
    const logBefore = await sizeOf('event_log.events');
    const replayBefore = await runReplay({ DATABASE_URL: url.href, EVENT_LOG_URL: url.href });
    say(`  log ${whole(logBefore)} MiB; a replay takes ${replayBefore.seconds.toFixed(1)} s`);

    const [chosen] = (
      await client.query<{ position: string }>(
        `SELECT position FROM event_log.events ORDER BY position OFFSET ${Math.floor(eventCount * 0.93)} LIMIT 1`,
      )
    ).rows;
    const [cut] = await log.readAt([BigInt(chosen?.position ?? 0)]);
    await mkdir(folder);
    let archived = 0;
    const archiveSeconds = await timed(async () => {
      const report = await archiveExchanges(
        {
          log,
          retention,
          leaves: verifiedLeavesIn(record),
          folder,
          now: () => new Date(),
          actor: { kind: 'system', id: 'bench' },
        },
        { endedBefore: cut?.recordedAt ?? new Date() },
      );
      archived = report.events;
    });
    let segmentBytes = 0;
    const files = await readdir(folder);
    for (const file of files) segmentBytes += (await stat(join(folder, file))).size;
    await followBoth();
    await client.query('VACUUM (FULL, ANALYZE) event_log.events');
    const logAfter = await sizeOf('event_log.events');
    const replayAfter = await runReplay({ DATABASE_URL: url.href, EVENT_LOG_URL: url.href });

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
    const rebuildSeconds = await timed(async () =>
      follow(url.href, withArchivedLeaves(log, { youngMs: 0 }), logRecordSchema, await logRecordReadModel()),
    );
    const rebuilt = await merkleTreeIn(record).head();
    const isSameTree = sameHash(frontierRoot(rebuilt.frontier), root);
    say(`  archived ${whole(archived)} events in ${files.length} segments within ${archiveSeconds.toFixed(1)} s`);
    say(`  log ${whole(logBefore)} MiB → ${whole(logAfter)} MiB; segments ${whole(segmentBytes / mib)} MiB`);
    say(`  replay ${replayBefore.seconds.toFixed(1)} s → ${replayAfter.seconds.toFixed(1)} s, every row compared`);
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
