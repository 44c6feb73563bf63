import type { AllStreamRecordedEvent, RecordedEvent as StoredEvent } from '@eventstore/db-client';
import type { EventMetadata, JsonObject, RecordedEvent } from '../port.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

/**
 * Converts an event of EventStoreDB; undefined for the server's own (prefix $ of stream or type) and for events of other programs that are not JSON
 * objects.
 */
export function toRecordedEvent(stored: StoredEvent | AllStreamRecordedEvent | undefined): RecordedEvent | undefined {
  const isSystems = stored?.streamId.startsWith('$') === true || stored?.type.startsWith('$') === true;
  return isSystems ? undefined : toAnyRecordedEvent(stored);
}

/** The same, including the server's own events. */
export function toAnyRecordedEvent(
  stored: StoredEvent | AllStreamRecordedEvent | undefined,
): RecordedEvent | undefined {
  if (stored === undefined) return undefined;
  if (!stored.isJson || !isObject(stored.data)) return undefined;
  const position = 'position' in stored ? stored.position?.commit : undefined;
  if (position === undefined) return undefined;
  return {
    eventId: stored.id,
    type: stored.type,
    data: stored.data as JsonObject,
    metadata: (isObject(stored.metadata) ? stored.metadata : {}) as EventMetadata,
    stream: stored.streamId,
    revision: stored.revision,
    position,
    recordedAt: stored.created,
  };
}
