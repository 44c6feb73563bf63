import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EventLog,
  type LogRetention,
  migratePostgresEventLog,
  openEventLog,
  openLogRetention,
  type RecordedEvent,
} from '@agent-trust/event-log';
import { withArchivedLeaves } from '@agent-trust/log-archive';
import {
  BatchWriter,
  createSchema,
  openWriterSession,
  type ProjectedEvent,
  readCheckpoint,
  type ReadModel,
} from '@agent-trust/projections';
import { createTestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { logRecordReadModel, logRecordSchema } from '../../../audit/start-log-record.ts';
import { exchangeRetention } from '../../../projector/read-models/exchange-archive/retention.ts';
import { registryReadModel } from '../../../projector/read-models/registry-read-model.ts';
import { openReadModelDatabase, type ReadModelDatabase, readModelSchema } from '../../../shared/database.ts';
import type { ArchiveParts } from '../archive-exchanges.ts';
import { verifiedLeavesIn } from '../verified-leaves.ts';

/** A log with read models and a log record that follow it event by event, as those of a running registry do. */
export type FollowedLog = {
  url: string;
  log: EventLog;
  retention: LogRetention;
  readModels: ReadModelDatabase;
  record: ReadModelDatabase;
  folder: string;
  parts: ArchiveParts;
  events(): Promise<RecordedEvent[]>;
  /** Lets both read on to the end of the log. */
  follow(): Promise<void>;
  /** Lets exchanges that ended before a time leave the read models, after `follow`. @returns how many left */
  letLeave(endedBefore: Date): Promise<number>;
  /** Builds the log record again from what is left in the log. */
  rebuildRecord(): Promise<void>;
  close(): Promise<void>;
};

const batchEvents = 97;

export async function followedLog(options: { log?: EventLog; retention?: LogRetention } = {}): Promise<FollowedLog> {
  const { url, drop } = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'archive-'));
  if (options.log === undefined) await migratePostgresEventLog(url);
  const log = options.log ?? (await openEventLog(url));
  const retention = options.retention ?? (await openLogRetention(url));
  const readModels = openReadModelDatabase(url);
  const record = openReadModelDatabase(url, undefined, {
    poolName: 'log record',
    schema: logRecordSchema,
    connectionsMax: 2,
  });

  const followIn = async <Event extends ProjectedEvent>(
    schema: string,
    given: ReadModel<Event>,
    from: EventLog,
  ): Promise<void> => {
    const client = await openWriterSession({ connectionString: url }, schema);
    try {
      await createSchema(client, schema, given.schema);
      const checkpoint = await readCheckpoint(client, schema);
      const readModel = (await given.forSchema?.(client, checkpoint)) ?? given;
      const writer = new BatchWriter({ client, schema, readModel, rowsPerTableMax: 1_000, checkpoint });
      for (let after = checkpoint.position; ; ) {
        const events = await from.readAll({ after, countMax: batchEvents });
        if (events.length === 0) return;
        await writer.write(events);
        after = events.at(-1)?.position ?? after;
      }
    } finally {
      await client.end();
    }
  };
  const followRecord = async (): Promise<void> =>
    followIn(logRecordSchema, await logRecordReadModel(), withArchivedLeaves(log));
  return {
    url,
    log,
    retention,
    readModels,
    record,
    folder,
    parts: {
      log,
      retention,
      leaves: verifiedLeavesIn(record),
      folder,
      now: () => new Date(),
      actor: { kind: 'system', id: 'archive' },
    },
    events: async () => {
      const all: RecordedEvent[] = [];
      for (;;) {
        const page = await log.readAll({ after: all.at(-1)?.position ?? null, countMax: 2_000 });
        if (page.length === 0) return all;
        all.push(...page);
      }
    },
    follow: async () => {
      await followIn(readModelSchema, await registryReadModel(), log);
      await followRecord();
    },
    letLeave: async (endedBefore) => {
      const client = await openWriterSession({ connectionString: url }, readModelSchema);
      const count = async (): Promise<number> =>
        (await client.query<{ rows: number }>('SELECT count(*)::integer AS rows FROM exchange')).rows[0]?.rows ?? 0;
      try {
        const before = await count();
        const limits = { graceMs: 0, idleMs: -1, rowsPerStep: 7 };
        const { step } = exchangeRetention({ olderThanMs: Date.now() - endedBefore.getTime(), ...limits });
        // What an earlier call has closed, then what this one closes.
        for (const _ of ['earlier', 'now']) while ((await step?.(client)) !== limits.idleMs);
        return before - (await count());
      } finally {
        await client.end();
      }
    },
    rebuildRecord: async () => {
      const client = new pg.Client(url);
      await client.connect();
      await client.query(`DROP SCHEMA ${logRecordSchema} CASCADE`);
      await client.end();
      await followRecord();
    },
    close: async () => {
      await record.close();
      await readModels.close();
      await retention.close();
      await log.close();
      await drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
