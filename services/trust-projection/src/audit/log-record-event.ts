import type { RecordedEvent } from '@agent-trust/event-log';
import type { ProjectedEvent, Projection } from '@agent-trust/projections';

/** An event as the log holds it, whatever its type and version: the record of the log leaves nothing out. */
export type LogRecordEvent = ProjectedEvent & { recorded: RecordedEvent };

export type LogRecordProjection = Projection<LogRecordEvent>;

/** Any event of the log; none is refused. */
export function asLogRecordEvent(recorded: RecordedEvent): LogRecordEvent {
  const { eventId, stream, revision, position, recordedAt, type } = recorded;
  return { eventId, stream, revision, position, recordedAt, type, recorded };
}
