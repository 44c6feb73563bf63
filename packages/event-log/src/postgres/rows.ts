import type { EventMetadata, JsonObject, RecordedEvent } from '../port.ts';

/** Columns of an event in the order that `eventOfRow` expects; the time as milliseconds, which is cheaper to parse than a timestamp. */
export const eventColumns =
  'position, event_id, stream, revision, type, data, metadata, (extract(epoch from recorded_at) * 1000)::bigint';

export type EventRow = readonly [string, string, string, string, string, string, string, string];

/** Every column arrives as text: bigint must not pass through number, and JSON is parsed once, here. */
export const textOnly = { getTypeParser: () => (text: string | Buffer) => text };

/** @param row may have more columns after these. */
export function eventOfRow(row: readonly [...EventRow, ...unknown[]]): RecordedEvent {
  return {
    eventId: row[1],
    type: row[4],
    data: JSON.parse(row[5]) as JsonObject,
    metadata: JSON.parse(row[6]) as EventMetadata,
    stream: row[2],
    revision: BigInt(row[3]),
    position: BigInt(row[0]),
    recordedAt: new Date(Number(row[7])),
  };
}
