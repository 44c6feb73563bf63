import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../shared/database.ts';

/** An event that the log must have, because something was computed from it. `eventId` is null in schemas of earlier versions. */
export type Anchor = { position: bigint; eventId: string | null };

/** What the log is known again by. Each is null where nothing was computed yet. */
export type LogAnchors = {
  readModels: Anchor | null;
  logRecord: Anchor | null;
  /** The last event of the tree that was signed last. */
  signed: Anchor | null;
  /** How often the operator has accepted another log, as far as the acceptances were completed. */
  accepted: number;
  /** What was computed is of two logs: an acceptance was begun and not completed, or events of another log were applied before it was noticed. */
  mustBeAccepted: boolean;
};

type Row = {
  readPosition: bigint | null;
  readEventId: string | null;
  recordPosition: bigint | null;
  recordEventId: string | null;
  signedPosition: bigint | null;
  accepted: number;
  mustBeAccepted: boolean;
};

/** Reads all of them at one moment. */
export async function readLogAnchors(database: Pick<ReadModelDatabase, 'query'>): Promise<LogAnchors> {
  const [row] = await database.query<Row>(sql`
    SELECT r.position AS read_position, r.event_id AS read_event_id, l.position AS record_position, l.event_id AS record_event_id,
      (SELECT last_position FROM log_signing.signed_head ORDER BY signed_at DESC LIMIT 1) AS signed_position,
      (SELECT count(*)::int FROM log_signing.accepted_log WHERE completed_at IS NOT NULL) AS accepted,
      EXISTS (SELECT FROM log_signing.accepted_log WHERE completed_at IS NULL) AS must_be_accepted
    FROM read_models.projection_checkpoint r, log_record.projection_checkpoint l`);
  if (row === undefined) throw new Error('the read models or the log record have no checkpoint');
  return {
    readModels: anchor(row.readPosition, row.readEventId),
    logRecord: anchor(row.recordPosition, row.recordEventId),
    signed: anchor(row.signedPosition, null),
    accepted: row.accepted,
    mustBeAccepted: row.mustBeAccepted,
  };
}

const anchor = (position: bigint | null, eventId: string | null): Anchor | null =>
  position === null ? null : { position, eventId };
