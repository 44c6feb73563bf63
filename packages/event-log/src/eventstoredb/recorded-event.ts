import { parseUUID } from '@eventstore/db-client/dist/utils/grpcUUID.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventMetadata, JsonObject, RecordedEvent } from '../port.ts';

export type StoredEvent = streams.ReadResp.ReadEvent.RecordedEvent;

/** The server counts time in 100 nanoseconds, and sends it as counted since 1970. */
const ticksPerMs = 10_000n;

/**
 * Converts an event of EventStoreDB; undefined for the server's own (prefix $ of stream or type) and for events of other programs that are not JSON
 * objects.
 */
export function toRecordedEvent(stored: StoredEvent): RecordedEvent | undefined {
  const isSystems = streamOf(stored).startsWith('$') || typeOf(stored).startsWith('$');
  return isSystems ? undefined : toAnyRecordedEvent(stored);
}

/** The same, including the server's own events. */
export function toAnyRecordedEvent(stored: StoredEvent): RecordedEvent | undefined {
  const properties = stored.getMetadataMap();
  const data = properties.get('content-type') === 'application/json' ? objectIn(stored.getData_asU8()) : null;
  if (data === null) return undefined;
  return {
    eventId: parseUUID(stored.getId()) ?? '',
    type: typeOf(stored),
    data: data as JsonObject,
    metadata: (objectIn(stored.getCustomMetadata_asU8()) ?? {}) as EventMetadata,
    stream: streamOf(stored),
    revision: BigInt(stored.getStreamRevision()),
    position: positionOf(stored),
    recordedAt: new Date(Number(BigInt(properties.get('created') ?? '0') / ticksPerMs)),
  };
}

export function positionOf(stored: StoredEvent): bigint {
  return BigInt(stored.getCommitPosition());
}

const typeOf = (stored: StoredEvent): string => stored.getMetadataMap().get('type') ?? '';

const streamOf = (stored: StoredEvent): string => textOf(stored.getStreamIdentifier()?.getStreamName_asU8());

const textOf = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

const objectIn = (bytes: Uint8Array): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(textOf(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
};
