import { BACKWARDS, END, type EventStoreDBClient, FORWARDS, START } from '@eventstore/db-client';
import type { StreamingRead } from '@eventstore/db-client';
import { EventLogUnavailableError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { ReadStreamOptions, RecordedEvent } from '../port.ts';
import { readFailure } from './failures.ts';
import { toRecordedEvent } from './recorded-event.ts';

type Resolved = { event?: Parameters<typeof toRecordedEvent>[0] };

/**
 * Takes events from a read until there are `countMax`, and cancels it then: the client's reads have no deadline, and one that
 * is merely left keeps its call open for ever.
 */
const take = async (
  what: string,
  stream: string,
  reading: StreamingRead<Resolved>,
  countMax: number,
  accept: (event: RecordedEvent) => boolean,
): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new EventLogUnavailableError(`${what} had no complete answer within ${eventLogLimits.readDeadlineMs} ms.`),
        ),
      eventLogLimits.readDeadlineMs,
    );
  });
  // An 'error' that comes when nobody iterates would end the process.
  reading.on('error', () => undefined);
  const collect = async (): Promise<void> => {
    for await (const resolved of reading) {
      const event = toRecordedEvent((resolved as Resolved).event);
      if (event !== undefined && accept(event)) events.push(event);
      if (events.length >= countMax) return;
    }
  };
  const collecting = collect();
  try {
    await Promise.race([collecting, late]);
    return events;
  } catch (error) {
    const failure = readFailure(what, stream, error);
    if (failure === null) return [];
    throw failure;
  } finally {
    clearTimeout(timer);
    collecting.catch(() => undefined);
    reading.cancel().catch(() => undefined);
    reading.destroy();
  }
};

export const readStream = async (
  client: EventStoreDBClient,
  stream: string,
  options: ReadStreamOptions,
): Promise<RecordedEvent[]> => {
  const backwards = options.direction === 'backwards';
  const countMax = options.countMax ?? Number.MAX_SAFE_INTEGER;
  if (countMax <= 0) return [];
  const reading = client.readStream(stream, {
    direction: backwards ? BACKWARDS : FORWARDS,
    fromRevision: options.fromRevision ?? (backwards ? END : START),
    maxCount: countMax,
  });
  return take(
    `Reading stream ${JSON.stringify(stream)}`,
    stream,
    reading as StreamingRead<Resolved>,
    countMax,
    () => true,
  );
};

export const readAll = async (
  client: EventStoreDBClient,
  after: bigint | null,
  countMax: number,
): Promise<RecordedEvent[]> => {
  if (countMax <= 0) return [];
  const reading = client.readAll({
    direction: FORWARDS,
    fromPosition: after === null ? START : { commit: after, prepare: after },
  });
  // The server starts at the position itself.
  return take(
    'Reading the log',
    '$all',
    reading as StreamingRead<Resolved>,
    countMax,
    (event) => after === null || event.position > after,
  );
};

/** Position of the last event that is not the server's own. */
export const headPosition = async (client: EventStoreDBClient): Promise<bigint | null> => {
  const reading = client.readAll({ direction: BACKWARDS, fromPosition: END });
  const [last] = await take('Reading the head of the log', '$all', reading as StreamingRead<Resolved>, 1, () => true);
  return last?.position ?? null;
};

export const positionOf = async (client: EventStoreDBClient, stream: string, revision: bigint): Promise<bigint> => {
  const [event] = await readStream(client, stream, { fromRevision: revision, countMax: 1 });
  if (event === undefined)
    throw new EventLogUnavailableError(
      `Revision ${revision} of stream ${JSON.stringify(stream)} cannot be read back yet.`,
    );
  return event.position;
};
