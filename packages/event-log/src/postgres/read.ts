import type pg from 'pg';
import type { EventMetadata, JsonObject, ReadStreamOptions, RecordedEvent } from '../port.ts';
import { eventLogLimits } from '../limits.ts';

/** Columns of an event in the order of `EventRow`; the time as milliseconds, which is cheaper to parse than a timestamp. */
const eventColumns =
  'position, event_id, stream, revision, type, data, metadata, (extract(epoch from recorded_at) * 1000)::bigint';

type EventRow = [string, string, string, string, string, string, string, string];

/** Every column arrives as text: bigint must not pass through number, and JSON is parsed once. */
export const textOnly = { getTypeParser: () => (text: string | Buffer) => text };

const eventOfRow = (row: readonly [...EventRow, found: string]): RecordedEvent => ({
  eventId: row[1],
  type: row[4],
  data: JSON.parse(row[5]) as JsonObject,
  metadata: JSON.parse(row[6]) as EventMetadata,
  stream: row[2],
  revision: BigInt(row[3]),
  position: BigInt(row[0]),
  recordedAt: new Date(Number(row[7])),
});

type Querier = Pick<pg.ClientBase, 'query'>;

/** Some events in order. If `isWhole` is false, more events were found than fit into one answer. */
export type Page = { events: RecordedEvent[]; isWhole: boolean };

/** A statement that is prepared once for a connection: planning it costs more than a short page. */
type Prepared = { name: string; text: string };

const queryEvents = async (querier: Querier, prepared: Prepared, values: unknown[]): Promise<Page> => {
  const query = {
    ...prepared,
    values,
    rowMode: 'array' as const,
    types: textOnly,
    query_timeout: eventLogLimits.readDeadlineMs,
  };
  const { rows } = await querier.query<[...event: EventRow, found: string]>(query);
  return { events: rows.map(eventOfRow), isWhole: rows.length === Number(rows[0]?.[8] ?? 0) };
};

/** Wraps a keyset query so that a page ends once it contains `$bytes` bytes of data, but never before its first event. */
const bounded = (page: string, order: string, bytes: string): string => `
  select ${eventColumns}, events_found from (
    select *, count(*) over () as events_found, sum(pg_column_size(data) + pg_column_size(metadata)) over (order by ${order}) - pg_column_size(data) - pg_column_size(metadata) as bytes_before
    from (${page}) page
  ) sized where bytes_before < ${bytes} order by ${order}`;

/** By position or by stream, each with the index of what it orders by. */
const preparedReads = {
  allPage: {
    name: 'event_log_page',
    text: bounded('select * from event_log.events where position > $1 order by position limit $2', 'position', '$3'),
  },
  forwardsPage: {
    name: 'event_log_stream',
    text: bounded(
      'select * from event_log.events where stream = $1 and revision >= $2 order by revision limit $3',
      'revision',
      '$4',
    ),
  },
  backwardsPage: {
    name: 'event_log_stream_backwards',
    text: bounded(
      'select * from event_log.events where stream = $1 and revision <= $2 order by revision desc limit $3',
      'revision desc',
      '$4',
    ),
  },
  atPositions: {
    name: 'event_log_at',
    text: `select ${eventColumns} from event_log.events where position = any ($1::bigint[])`,
  },
} satisfies Record<string, Prepared>;

/** One page of the log: at most `eventsMax` events after `after`, fewer if they are large; empty only at the end of the log. */
export function readAllPage(querier: Querier, after: bigint, eventsMax: number): Promise<Page> {
  return queryEvents(querier, preparedReads.allPage, [after.toString(), eventsMax, eventLogLimits.readPageBytesMax]);
}

/** Settings of connections that find events by an index alone. */
export const withoutScans = '-c enable_seqscan=off -c enable_bitmapscan=off';

/**
 * Settings of connections that read. They read by position or by stream, and so by an index, even from a table of one page: a plan may be kept while
 * the table grows from that page to millions of rows.
 */
export const readsByIndex = `${withoutScans} -c plan_cache_mode=force_generic_plan`;

/** Whether nothing is left behind a page: it is neither full nor cut short. A stream then takes one statement, not a second one that finds nothing. */
const endsWith = ({ events, isWhole }: Page, eventsMax: number): boolean => isWhole && events.length < eventsMax;

export async function readAll(querier: Querier, after: bigint, countMax: number): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (let from = after; events.length < countMax; ) {
    const eventsMax = Math.min(countMax - events.length, eventLogLimits.readPageEventsMax);
    const page = await readAllPage(querier, from, eventsMax);
    const last = page.events.at(-1);
    if (last === undefined) break;
    events.push(...page.events);
    if (endsWith(page, eventsMax)) break;
    from = last.position;
  }
  return events;
}

export async function readAt(querier: Querier, positions: readonly bigint[]): Promise<RecordedEvent[]> {
  return (await queryEvents(querier, preparedReads.atPositions, [positions.map(String)])).events;
}

const revisionMax = 2n ** 63n - 1n;

export async function readStream(
  querier: Querier,
  stream: string,
  options: ReadStreamOptions,
): Promise<RecordedEvent[]> {
  const backwards = options.direction === 'backwards';
  const countMax = options.countMax ?? Number.MAX_SAFE_INTEGER;
  const events: RecordedEvent[] = [];
  for (let from = options.fromRevision ?? (backwards ? revisionMax : 0n); events.length < countMax && from >= 0n; ) {
    const eventsMax = Math.min(countMax - events.length, eventLogLimits.readPageEventsMax);
    const page = await queryEvents(querier, backwards ? preparedReads.backwardsPage : preparedReads.forwardsPage, [
      stream,
      from.toString(),
      eventsMax,
      eventLogLimits.readPageBytesMax,
    ]);
    const last = page.events.at(-1);
    if (last === undefined) break;
    events.push(...page.events);
    if (endsWith(page, eventsMax)) break;
    from = last.revision + (backwards ? -1n : 1n);
  }
  return events;
}

export async function headPosition(querier: Querier): Promise<bigint | null> {
  const query = {
    text: 'select max(position) from event_log.events',
    rowMode: 'array' as const,
    types: textOnly,
    query_timeout: eventLogLimits.readDeadlineMs,
  };
  const { rows } = await querier.query<[string | null]>(query);
  const head = rows[0]?.[0];
  return head == null ? null : BigInt(head);
}

/** The format with which the log was created; null for a log of a build that recorded none. */
export async function readFormat(querier: Querier): Promise<number | null> {
  const table = await querier.query<{ missing: boolean }>(
    `select to_regclass('event_log.log_format') is null and to_regclass('event_log.events') is not null as missing`,
  );
  if (table.rows[0]?.missing === true) return null;
  const { rows } = await querier.query<{ number: number }>('select number from event_log.log_format');
  return rows[0]?.number ?? null;
}
