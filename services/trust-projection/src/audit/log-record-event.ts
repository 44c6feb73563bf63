import type { RecordedEvent } from '@agent-trust/event-log';
import type { ProjectedEvent, Projection } from '@agent-trust/projections';

/**
 * An event as the log holds it, whatever its type and version: what is said of the log itself must leave nothing out, also not what this
 * code is too old to know.
 */
export type LogRecordEvent = ProjectedEvent & { recorded: RecordedEvent };

export type LogRecordProjection = Projection<LogRecordEvent>;

/** Any event of the log; none is refused. */
export function asLogRecordEvent(recorded: RecordedEvent): LogRecordEvent {
  const { eventId, stream, revision, position, recordedAt, type } = recorded;
  return { eventId, stream, revision, position, recordedAt, type, recorded };
}
