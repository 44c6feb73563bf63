import type { EventLog } from '@agent-trust/event-log';
import { withArchivedLeaves } from '@agent-trust/log-archive';
import { loadSchema, type ReadModel } from '@agent-trust/projections';
import type { Logger } from '@agent-trust/service-kit';
import { openReadModelDatabase, type ReadModelDatabase } from '../shared/database.ts';
import { queryLimits } from '../shared/limits.ts';
import { type LogFollower, startLogFollower } from '../shared/log-follower.ts';
import { type FoundLeaf, type MerkleTree, merkleTreeIn } from './merkle-tree/queries.ts';
import { archivedSegmentsProjection } from './archived-segments/projection.ts';
import { auditTrailProjection } from './audit-trail/projection.ts';
import { asLogRecordEvent, type LogRecordEvent, type LogRecordProjection } from './log-record-event.ts';
import { merkleTreeProjection } from './merkle-tree/projection.ts';

/** A schema and a checkpoint of its own: it describes the log and not the registry, and a replay of the read models leaves it alone. */
export const logRecordSchema = 'log_record';

const projections: readonly LogRecordProjection[] = [
  auditTrailProjection,
  archivedSegmentsProjection,
  merkleTreeProjection,
];

/** An index over every event of the log. If it is dropped, the next start builds it again from event 0. */
export async function logRecordReadModel(): Promise<ReadModel<LogRecordEvent>> {
  return { projections, schema: await loadSchema(projections), decode: asLogRecordEvent };
}

/** The record of every event of the log: see `logRecordReadModel`. */
export type LogRecord = LogFollower & { database: ReadModelDatabase; tree: MerkleTree };
export type { FoundLeaf, MerkleTree };

/** Keeps the log record in step with the log. `auditMethods` answers from it. */
export async function startLogRecord(parts: {
  databaseUrl: string;
  log: EventLog;
  logger: Logger;
  starting?: (detail: string) => void;
  stopping?: AbortSignal;
}): Promise<LogRecord> {
  const { databaseUrl, logger } = parts;
  const follower = await startLogFollower({
    ...parts,
    name: 'log_record',
    // The tree has a leaf for every event that there ever was.
    log: withArchivedLeaves(parts.log),
    applicationName: 'trust-projection log record',
    schema: logRecordSchema,
    readModel: await logRecordReadModel(),
    reachTimeoutMs: queryLimits.atLeastWaitMs,
    pauseMs: queryLimits.logRecordPauseMs,
  });
  const database = openReadModelDatabase(databaseUrl, logger, {
    poolName: 'log_record',
    schema: logRecordSchema,
    connectionsMax: queryLimits.logRecordConnectionsMax,
  });
  return {
    ...follower,
    database,
    tree: merkleTreeIn(database),
    stop: async () => {
      await follower.stop();
      await database.close();
    },
  };
}
