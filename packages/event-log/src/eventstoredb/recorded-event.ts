import type { AllStreamRecordedEvent, RecordedEvent as StoredEvent } from '@eventstore/db-client';
import type { EventMetadata, JsonObject, RecordedEvent } from '../port.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

/**
 * An event of the registry out of what EventStoreDB holds; undefined for the server's own ($ in front of stream or type) and for
 * what some other program wrote that is no JSON object.
 */
export function toRecordedEvent(stored: StoredEvent | AllStreamRecordedEvent | undefined): RecordedEvent | undefined {
  const isSystems = stored?.streamId.startsWith('$') === true || stored?.type.startsWith('$') === true;
  return isSystems ? undefined : toAnyRecordedEvent(stored);
}

/** The same, of the server's own events as well. */
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
