import {
  type AllStreamRecordedEvent,
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type RecordedEvent as StoredEvent,
  type ResolvedEvent,
  START,
  type StreamingRead,
} from '@eventstore/db-client';
import { withDeadline } from '@agent-trust/limits';
import type { EventMetadata, JsonObject, ReadStreamOptions, RecordedEvent } from '../port.ts';
import { EventLogUnavailableError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import { readFailure } from './failures.ts';

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
const toAnyRecordedEvent = (stored: StoredEvent | AllStreamRecordedEvent | undefined): RecordedEvent | undefined => {
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
};

type Resolved = { event?: Parameters<typeof toRecordedEvent>[0] };

export type Reader = {
  readStream(stream: string, options: ReadStreamOptions): Promise<RecordedEvent[]>;
  readAll(after: bigint | null, countMax: number): Promise<RecordedEvent[]>;
  /** For a position without an event, the server returns the next one. */
  readAt(positions: readonly bigint[]): Promise<RecordedEvent[]>;
  /** Position of the last event that is not the server's own. */
  headPosition(): Promise<bigint | null>;
  positionOf(stream: string, revision: bigint): Promise<bigint>;
  /** The last event of one of the server's own streams. */
  systemEvent(stream: string): Promise<RecordedEvent | undefined>;
};

/** Reads over `client`, each with a deadline, which the client's own reads do not have. */
export function readerOf(client: EventStoreDBClient, readDeadlineMs: number): Reader {
  const readStream = async (stream: string, options: ReadStreamOptions): Promise<RecordedEvent[]> => {
    const backwards = options.direction === 'backwards';
    const countMax = options.countMax ?? Number.MAX_SAFE_INTEGER;
    if (countMax <= 0) return [];
    const reading = client.readStream(stream, {
      direction: backwards ? BACKWARDS : FORWARDS,
      fromRevision: options.fromRevision ?? (backwards ? END : START),
      maxCount: countMax,
    });
    return take(reading, { what: `Reading stream ${JSON.stringify(stream)}`, stream, countMax, readDeadlineMs });
  };
  const eventFrom = (position: bigint): Promise<RecordedEvent[]> =>
    take(client.readAll({ direction: FORWARDS, fromPosition: { commit: position, prepare: position } }), {
      what: `Reading the event at position ${position}`,
      stream: '$all',
      countMax: 1,
      readDeadlineMs,
    });
  return {
    readStream,
    readAll: async (after, countMax) => {
      if (countMax <= 0) return [];
      const reading = client.readAll({
        direction: FORWARDS,
        fromPosition: after === null ? START : { commit: after, prepare: after },
      });
      // The server starts at the position itself, which `after` excludes.
      return take(reading, { what: 'Reading the log', stream: '$all', countMax, readDeadlineMs, after });
    },
    readAt: async (positions) => {
      const events: RecordedEvent[] = [];
      for (let from = 0; from < positions.length; from += eventLogLimits.readAtConcurrentMax) {
        const some = positions.slice(from, from + eventLogLimits.readAtConcurrentMax);
        events.push(...(await Promise.all(some.map(eventFrom))).flat());
      }
      return events;
    },
    headPosition: async () => {
      const reading = client.readAll({ direction: BACKWARDS, fromPosition: END });
      const [last] = await take(reading, {
        what: 'Reading the head of the log',
        stream: '$all',
        countMax: 1,
        readDeadlineMs,
      });
      return last?.position ?? null;
    },
    positionOf: async (stream, revision) => {
      const [event] = await readStream(stream, { fromRevision: revision, countMax: 1 });
      if (event === undefined) {
        throw new EventLogUnavailableError(
          `Revision ${revision} of stream ${JSON.stringify(stream)} cannot be read back yet.`,
        );
      }
      return event.position;
    },
    systemEvent: async (stream) => {
      const reading = client.readStream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 1 });
      const what = `Reading stream ${stream}`;
      const [last] = await take(reading, { what, stream, countMax: 1, readDeadlineMs, convert: toAnyRecordedEvent });
      return last;
    },
  };
}

type Taking = {
  what: string;
  stream: string;
  countMax: number;
  readDeadlineMs: number;
  after?: bigint | null;
  convert?: typeof toRecordedEvent;
};

/** Takes up to `countMax` events, then cancels the read: a read that is only left keeps its call open for ever. */
const take = async (
  reading: StreamingRead<AllStreamResolvedEvent | ResolvedEvent>,
  { what, stream, countMax, readDeadlineMs, after = null, convert = toRecordedEvent }: Taking,
): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  // An 'error' event without an iterating reader would end the process.
  reading.on('error', () => undefined);
  const collect = async (): Promise<void> => {
    for await (const resolved of reading) {
      const event = convert((resolved as Resolved).event);
      if (event !== undefined && (after === null || event.position > after)) events.push(event);
      if (events.length >= countMax) return;
    }
  };
  try {
    await withDeadline(
      collect(),
      readDeadlineMs,
      () => new EventLogUnavailableError(`${what} had no complete answer within ${readDeadlineMs} ms.`),
    );
    return events;
  } catch (error) {
    const failure = readFailure(what, stream, error);
    if (failure === null) return [];
    throw failure;
  } finally {
    reading.cancel().catch(() => undefined);
    reading.destroy();
  }
};
