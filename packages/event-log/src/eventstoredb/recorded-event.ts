import type { EventMetadata, JsonObject, RecordedEvent } from '../port.ts';
import type { StoredEvent } from './wire/event-message.ts';

const ticksPerMs = 10_000n;

/**
 * Converts an event of EventStoreDB; undefined for the server's own (prefix $ of stream or type) and for events of other programs that are not JSON
 * objects.
 */
export function toRecordedEvent(stored: StoredEvent): RecordedEvent | undefined {
  return stored.stream.startsWith('$') || stored.type.startsWith('$') ? undefined : toAnyRecordedEvent(stored);
}

/** The same, including the server's own events. */
export function toAnyRecordedEvent(stored: StoredEvent): RecordedEvent | undefined {
  const data = stored.contentType === 'application/json' ? objectIn(stored.data) : null;
  if (data === null) return undefined;
  return {
    eventId: stored.id,
    type: stored.type,
    data: data as JsonObject,
    metadata: (objectIn(stored.metadata) ?? {}) as EventMetadata,
    stream: stored.stream,
    revision: stored.revision,
    position: stored.position,
    recordedAt: new Date(Number(BigInt(stored.created) / ticksPerMs)),
  };
}

const objectIn = (bytes: Buffer): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
};
