import { loadSchema, type ReadModel } from '@agent-trust/projections';
import { auditTrailProjection } from './audit-trail/projection.ts';
import { asLogRecordEvent, type LogRecordEvent, type LogRecordProjection } from './log-record-event.ts';
import { merkleTreeProjection } from './merkle-tree/projection.ts';

/** A schema of its own with a checkpoint of its own: it speaks of the log and not of the registry, and a replay of the read models leaves it alone. */
export const logRecordSchema = 'log_record';

const projections: readonly LogRecordProjection[] = [auditTrailProjection, merkleTreeProjection];

/** What is kept of every event of the log: an index over them. Dropped, it is made again from event 0 at the next start. */
export async function logRecordReadModel(): Promise<ReadModel<LogRecordEvent>> {
  return {
    projections,
    schema: await loadSchema(projections),
    decode: asLogRecordEvent,
  };
}
