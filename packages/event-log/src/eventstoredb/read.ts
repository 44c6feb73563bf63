import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { EventLogUnavailableError, UnknownPositionError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { ReadStreamOptions, RecordedEvent } from '../port.ts';
import type { Connection } from './connection.ts';
import { readFailure } from './failures.ts';
import type { Node } from './node.ts';
import { type From, logRequest, streamRequest } from './read-request.ts';
import { toAnyRecordedEvent, toRecordedEvent } from './recorded-event.ts';
import type { ReadResponse, StoredEvent } from './wire/event-message.ts';

export type Reader = {
  readStream(stream: string, options: ReadStreamOptions): Promise<RecordedEvent[]>;
  readAll(after: bigint | null, countMax: number): Promise<RecordedEvent[]>;
  /** For a position without an event, the server refuses the read or returns the next one. */
  readAt(positions: readonly bigint[]): Promise<RecordedEvent[]>;
  /** Position of the last event that is not the server's own. */
  headPosition(): Promise<bigint | null>;
  positionOf(stream: string, revision: bigint): Promise<bigint>;
  /** The last event of one of the server's own streams. */
  systemEvent(stream: string): Promise<RecordedEvent | undefined>;
};

/** Reads over `connection`, each with a deadline. Each asks for no more than it wants, and is read to its end: one left early costs more. */
export function readerOf(connection: Connection, readDeadlineMs: number): Reader {
  const read = async (what: string, request: streams.ReadReq): Promise<StoredEvent[]> => {
    let node: Node | null = null;
    try {
      node = await connection.node(Math.min(readDeadlineMs, eventLogLimits.connectDeadlineMs));
      return await collect(node, request, readDeadlineMs);
    } catch (cause) {
      if (node !== null) connection.failed(node, cause);
      const failure = readFailure(what, cause);
      if (failure === null) return [];
      throw failure;
    }
  };
  const readStream = async (stream: string, options: ReadStreamOptions): Promise<RecordedEvent[]> => {
    const direction = options.direction ?? 'forwards';
    const countMax = options.countMax ?? Number.MAX_SAFE_INTEGER;
    if (countMax <= 0) return [];
    const from = options.fromRevision ?? (direction === 'backwards' ? 'end' : 'start');
    const request = streamRequest(stream, { direction, from, countMax });
    const stored = await read(`Reading stream ${JSON.stringify(stream)}`, request);
    return stored.flatMap((event) => toRecordedEvent(event) ?? []);
  };
  const readLog = (
    what: string,
    direction: 'forwards' | 'backwards',
    from: From,
    countMax: number,
  ): Promise<StoredEvent[]> => read(what, logRequest({ direction, from, countMax }));

  const eventAt = async (position: bigint): Promise<RecordedEvent[]> => {
    try {
      const stored = await readLog(`Reading the event at position ${position}`, 'forwards', position, 1);
      return stored.flatMap((event) => toRecordedEvent(event) ?? []);
    } catch (error) {
      if (error instanceof UnknownPositionError) return [];
      throw error;
    }
  };
  return {
    readStream,
    readAll: async (after, countMax) => {
      const events: RecordedEvent[] = [];
      // The server starts at the position itself, and counts events that are left out here: its own, and those of other programs.
      for (let last = after; events.length < countMax; ) {
        const asked = Math.min(countMax - events.length, eventLogLimits.readPageEventsMax) + 1;
        const stored = await readLog('Reading the log', 'forwards', last ?? 'start', asked);
        for (const one of stored) {
          const event = last !== null && one.position <= last ? undefined : toRecordedEvent(one);
          if (event !== undefined && events.length < countMax) events.push(event);
        }
        const end = stored.at(-1);
        if (stored.length < asked || end === undefined) break;
        last = end.position;
      }
      return events;
    },
    readAt: async (positions) => {
      const events: RecordedEvent[] = [];
      for (let from = 0; from < positions.length; from += eventLogLimits.readAtConcurrentMax) {
        const some = positions.slice(from, from + eventLogLimits.readAtConcurrentMax);
        events.push(...(await Promise.all(some.map(eventAt))).flat());
      }
      return events;
    },
    headPosition: async () => {
      let from: From = 'end';
      // More at a time the longer the server's own events at the end are.
      for (let asked = 1; ; asked = Math.min(asked * 32, eventLogLimits.readPageEventsMax)) {
        const stored = await readLog('Reading the head of the log', 'backwards', from, asked);
        const last = stored.find((event) => toRecordedEvent(event) !== undefined);
        if (last !== undefined) return last.position;
        const end = stored.at(-1);
        if (stored.length < asked || end === undefined) return null;
        from = end.position;
      }
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
      const request = streamRequest(stream, { direction: 'backwards', from: 'end', countMax: 1 });
      const [last] = await read(`Reading stream ${stream}`, request);
      return last && toAnyRecordedEvent(last);
    },
  };
}

/** All events of one call; none for a stream that does not exist. */
const collect = (node: Node, request: streams.ReadReq, deadlineMs: number): Promise<StoredEvent[]> =>
  new Promise((resolve, reject) => {
    const events: StoredEvent[] = [];
    const call = node.read(request, deadlineMs);
    call.on('data', ({ event }: ReadResponse) => {
      if (event !== null) events.push(event);
    });
    call.on('error', reject);
    call.on('end', () => resolve(events));
  });
