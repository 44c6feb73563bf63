import { type EventLog, openEventLog } from '@agent-trust/event-log';
import { archiveRecords, interleaved, LeafReader } from '@agent-trust/log-archive';
import pg from 'pg';
import { UnreachableError } from '../fetch-bytes.ts';
import { verifierLimits } from '../limits.ts';
import { archivedPlace, leavesFrom, type Placed } from './archived-leaf.ts';
import { type Bookmark, leafOfEvent, type LogSource, type SourceLeaf, unreadableLeaf } from './log-source.ts';

/** The event log behind EVENT_LOG_URL; one in Postgres is read as it is stored, others by way of the registry's own port. */
export async function eventLogSource(url: string): Promise<LogSource> {
  return /^postgres(?:ql)?:/u.test(url)
    ? postgresLog(url, await openEventLog(url, { applicationName: 'log-verify archive' }))
    : portSource(await openEventLog(url, { applicationName: 'log-verify' }), url);
}

const portSource = (log: EventLog, url: string): LogSource => {
  async function* pages(from?: Bookmark): AsyncGenerator<SourceLeaf[]> {
    const last = await log.headPosition();
    let index = from?.index ?? 0;
    let after = from === undefined ? null : from.place - 1n;
    const archived = new LeafReader(log, after);
    for (;;) {
      const events = await log.readAll({ after, countMax: verifierLimits.pageEventsMax });
      const known = events.filter(({ position }) => last !== null && position <= last);
      if (known.length === 0) return;
      const items = known.map(
        (event): Placed => ({
          position: event.position,
          isArchived: false,
          leafAt: (at) => leafOfEvent(event, at, null),
        }),
      );
      for await (const some of interleaved(items, archived, after, archivedPlace)) {
        yield leavesFrom(index, some);
        index += some.length;
      }
      after = known.at(-1)?.position ?? after;
    }
  }
  return {
    description: `the event log ${new URL(url).host}`,
    pages,
    remarks: () => [],
    records: () => archiveRecords(log),
    close: () => log.close(),
  };
};

/** position, event_id, stream, revision, type, data, metadata, milliseconds; all as text. */
type Row = readonly [string, string, string, string, string, string, string, string | null];

const page = `
  select position, event_id, stream, revision, type, data, metadata, ms from (
    select position, event_id, stream, revision, type, data::text, metadata::text,
      case when isfinite(recorded_at) then (extract(epoch from recorded_at) * 1000)::bigint end as ms,
      sum(octet_length(data::text) + octet_length(metadata::text)) over (order by position) - octet_length(data::text) - octet_length(metadata::text) as bytes_before
    from (select * from event_log.events where position > $1 and position <= $2 order by position limit $3) page
  ) sized where bytes_before < $4 order by position`;

/**
 * The event log in Postgres. The stored JSON text is compared with the text that a registry writes, so a change without effect on the value (an extra
 * digit, an escape) is found too. Needs only the right to read the table.
 *
 * @param log The same log, for the records of what has left it; the source closes it
 */
export function postgresLog(url: string, log: EventLog): LogSource {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'log-verify',
    connectionTimeoutMillis: verifierLimits.connectDeadlineMs,
    types: { getTypeParser: () => (text: string | Buffer) => text },
  });
  // A connection that breaks fails its query, too; without a listener the event would end the process.
  client.on('error', () => undefined);
  let head: Promise<string> | null = null;

  /** What is appended from now on is not read: a log that grows faster than it is read would have no end. */
  const noteHead = async (): Promise<string> => {
    await client.connect().catch((cause: NodeJS.ErrnoException) => {
      // A name with several addresses, none of which answers, fails with a code and an empty message.
      const why = cause.message || cause.code;
      throw new UnreachableError(`the event log ${placeOf(url)} could not be reached: ${why}`, null, { cause });
    });
    // Keyset pages over the whole table, for which a plan made for few rows would be the wrong one.
    await client.query('set enable_seqscan to off; set default_transaction_read_only to on');
    const { rows } = await client.query<[string | null]>({
      text: 'select max(position) from event_log.events',
      rowMode: 'array',
    });
    return rows[0]?.[0] ?? '0';
  };

  const readPage = async (after: string, last: string): Promise<Row[]> => {
    const values = [after, last, verifierLimits.pageEventsMax, verifierLimits.pageBytesMax];
    const { rows } = await client.query<[...Row]>({
      text: page,
      values,
      rowMode: 'array',
      query_timeout: verifierLimits.pageDeadlineMs,
    } as pg.QueryArrayConfig);
    return rows;
  };

  async function* pages(from?: Bookmark): AsyncGenerator<SourceLeaf[]> {
    head ??= noteHead();
    const last = await head;
    let index = from?.index ?? 0;
    let after = from === undefined ? null : from.place - 1n;
    let rows = await readPage(after === null ? '-9223372036854775808' : after.toString(), last);
    const archived = new LeafReader(log, after);
    while (rows.length > 0) {
      // Read ahead: the database works while the page at hand is hashed.
      const ahead = readPage(rows.at(-1)?.[0] ?? last, last);
      ahead.catch(() => undefined);
      const items = rows.map(
        (row): Placed => ({ position: BigInt(row[0]), isArchived: false, leafAt: (at) => leafOfRow(row, at) }),
      );
      for await (const some of interleaved(items, archived, after, archivedPlace)) {
        yield leavesFrom(index, some);
        index += some.length;
      }
      after = items.at(-1)?.position ?? after;
      rows = await ahead;
    }
  }

  return {
    description: `the event log ${placeOf(url)}`,
    pages,
    remarks: () => [],
    records: () => archiveRecords(log),
    close: async () => {
      await log.close();
      await client.end();
    },
  };
}

const leafOfRow = (row: Row, index: number): SourceLeaf => {
  const [position, eventId, stream, revision, type, data, metadata, ms] = row;
  try {
    const event = {
      position: BigInt(position),
      eventId,
      stream,
      revision: BigInt(revision),
      type,
      data: objectOf(data),
      metadata: objectOf(metadata),
      recordedAt: new Date(ms === null ? Number.NaN : Number(ms)),
    };
    const column = [
      { name: 'data', text: data, value: event.data },
      { name: 'metadata', text: metadata, value: event.metadata },
    ].find(({ text, value }) => JSON.stringify(value) !== text);
    return leafOfEvent(
      event,
      index,
      column === undefined ? null : `the text of its ${column.name} is not as a registry writes it, so it was changed`,
    );
  } catch {
    const message = `index ${index}, position ${position} (${type} of ${JSON.stringify(stream)}) cannot be read`;
    return unreadableLeaf({ index, place: BigInt(position) }, message);
  }
};

const objectOf = (text: string): object => {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('no object');
  return value;
};

const placeOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};
