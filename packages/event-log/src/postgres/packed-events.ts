import pg from 'pg';
import { eventLogLimits } from '../limits.ts';
import type { EventMetadata, JsonObject, PackedEvents, RecordedEvent } from '../port.ts';

/** In the order in which `eventAt` reads them; none is ever null. */
const columns = 'position, revision, recorded_at, event_id::text, stream, type, data, metadata';
const columnCount = 8;

/** The signature, the flags and the length of the header's extension, which is empty. */
const headerBytes = 11 + 4 + 4;

/** Timestamps count microseconds from here. */
const epochMs = Date.UTC(2000, 0, 1);

/** The buffer of a page; it doubles when it is full. */
const firstBytes = 256 * 1024;

/** A COPY whose bytes are kept as they come: other queries make a text of every column of every row before the first row can be used. */
class CopyOut extends pg.Query {
  readonly query_timeout: number = eventLogLimits.readDeadlineMs;
  #bytes: Buffer = Buffer.allocUnsafeSlow(firstBytes);
  #length = 0;

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Called by the driver. The chunk is a part of the driver's own buffer, which it writes to again. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const length = this.#length + chunk.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
  }
}

/**
 * One page of the log: at most `countMax` events after `after`, fewer if they are large; empty only at the end of the log.
 *
 * @see https://www.postgresql.org/docs/current/sql-copy.html "Binary Format"
 */
export async function readPacked(
  querier: { query(query: pg.Submittable): unknown },
  after: bigint,
  countMax: number,
): Promise<PackedEvents> {
  const eventsMax = Math.min(Math.trunc(countMax), eventLogLimits.readPageEventsMax);
  // COPY takes no parameters; these are numbers.
  const copy = new CopyOut(`copy (
    select ${columns} from (
      select *, sum(pg_column_size(data) + pg_column_size(metadata)) over (order by position rows unbounded preceding)
        - pg_column_size(data) - pg_column_size(metadata) as bytes_before
      from (select * from event_log.events where position > ${after} order by position limit ${eventsMax}) page
    ) sized where bytes_before < ${eventLogLimits.readPageBytesMax} order by position
  ) to stdout (format binary)`);
  await querier.query(copy);
  return packedEvents(copy.bytes);
}

const packedEvents = (bytes: Buffer): PackedEvents => {
  // A view reads numbers several times faster than the methods of a buffer.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  // In front of each row is the number of its columns, and -1 at the end.
  const isRow = (at: number): boolean => view.getInt16(at) === columnCount;
  const endOfRow = (row: number): number => {
    let at = row + 2;
    for (let column = 0; column < columnCount; column += 1) at += 4 + view.getInt32(at);
    return at;
  };
  let lastPosition: bigint | null = null;
  for (let row = headerBytes; isRow(row); row = endOfRow(row)) lastPosition = view.getBigInt64(row + 6);
  return {
    lastPosition,
    *unpack(type) {
      const wanted = type === undefined ? null : Buffer.from(type);
      for (let row = headerBytes; isRow(row); row = endOfRow(row)) {
        if (wanted === null || wanted.equals(typeAt(bytes, view, row))) yield eventAt(bytes, view, row);
      }
    },
  };
};

/** The bytes of the type, which follows two other texts. */
const typeAt = (bytes: Buffer, view: DataView, row: number): Buffer => {
  let at = row + textsAt;
  for (let text = 0; text < 2; text += 1) at += 4 + view.getInt32(at);
  return bytes.subarray(at + 4, at + 4 + view.getInt32(at));
};

/** Behind the number of columns and three numbers of eight bytes, each with its length in four bytes in front. */
const textsAt = 2 + 3 * 12;

const eventAt = (bytes: Buffer, view: DataView, row: number): RecordedEvent => {
  const position = view.getBigInt64(row + 6);
  const revision = view.getBigInt64(row + 18);
  const micros = view.getInt32(row + 30) * 2 ** 32 + view.getUint32(row + 34);
  let at = row + textsAt;
  const text = (): string => {
    const start = at + 4;
    at = start + view.getInt32(at);
    return bytes.toString('utf8', start, at);
  };
  return {
    eventId: text(),
    stream: text(),
    type: text(),
    data: JSON.parse(text()) as JsonObject,
    metadata: JSON.parse(text()) as EventMetadata,
    revision,
    position,
    recordedAt: new Date(epochMs + micros / 1_000),
  };
};
