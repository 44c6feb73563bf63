import type { RecordedEvent } from '@agent-trust/event-log';
import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../shared/database.ts';

/** What is known of an event that has left the log: its place and its cause, and nothing of what happened. */
export type ArchivedEvent = { event: RecordedEvent; leafHash: string };

type Row = Pick<RecordedEvent, 'position' | 'eventId' | 'type' | 'stream' | 'revision' | 'recordedAt'> & {
  actorKind: string | null;
  actorId: string | null;
  correlationId: string | null;
  causationId: string | null;
  leafHash: string;
};

/** The events at these positions that are in an archived segment; none for a position at which the log lacks an event for another reason. */
export async function findArchivedEvents(
  database: ReadModelDatabase,
  positions: readonly bigint[],
): Promise<Map<bigint, ArchivedEvent>> {
  const rows = await database.query<Row>(sql`
    SELECT e.position, e.event_id, e.type, e.stream, e.revision, e.recorded_at, e.actor_kind, e.actor_id, e.correlation_id,
      e.causation_id, encode(decode(m.hash, 'base64'), 'hex') AS leaf_hash
    FROM audit_event e JOIN merkle_leaf m USING (position)
    WHERE e.position = ANY (${positions}::bigint[]) AND e.stream LIKE 'exchange-%'
      AND EXISTS (SELECT FROM archived_segment s WHERE e.position BETWEEN s.first_position AND s.last_position)`);
  return new Map(
    rows.map(({ actorKind, actorId, correlationId, causationId, leafHash, ...place }) => {
      const metadata = {
        ...(correlationId === null ? {} : { correlationId }),
        ...(causationId === null ? {} : { causationId }),
        ...(actorKind === null ? {} : { actor: { kind: actorKind, id: actorId } }),
      };
      return [place.position, { event: { ...place, metadata, data: {} }, leafHash }];
    }),
  );
}
