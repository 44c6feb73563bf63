import { BrokenStreamError, ClientError, RegistryError, UnexpectedAnswerError } from '../errors.ts';
import { pause } from '../http/deadline.ts';
import { answerInfo } from '../http/read-json.ts';
import type { Operation, ReadAnswer, Transport } from '../http/transport.ts';
import { limits, retryDefaults } from '../limits.ts';
import type { RequestOptions } from '../options.ts';
import { jsonLines } from '../stream/json-lines.ts';
import { readEvents } from '../stream/read-events.ts';
import type { StreamEvent } from '../stream/event-parser.ts';
import { get } from './ask.ts';

/** Filters of every listing of events; `type` may be several names, separated by commas. */
export type EventsQuery = {
  type?: string;
  correlation_id?: string;
  transaction_id?: string;
  /** A kind of credentials, such as `agent_key`, or the id of a named key. */
  credential?: string;
  from?: string;
  to?: string;
  after?: string;
  before?: string;
  order?: 'asc' | 'desc';
  limit?: number;
};
/** Filters of an export and of new events: positions, and no pages. */
export type ExportQuery<Query> = Omit<Query, 'order' | 'limit'>;
export type FollowQuery<Query> = Omit<ExportQuery<Query>, 'from' | 'to' | 'before'>;

/** A page of events; `next` is the query of the next one. A page may be short, or empty, and still have a next one. */
export type EventsPage<Event, Query> = { events: Event[]; next: Query | null };

/** How far an export went, from its last line: an export that begins after `up_to_position` continues it. */
export type EndOfExport = { events: number; up_to_position: string | null };
export type ExportOptions = RequestOptions & {
  /** Called with the last line of a complete export, after its last event was consumed. */
  onEnd?: ((end: EndOfExport) => void) | undefined;
};

export type FollowOptions = RequestOptions & {
  /** Called with `open` when new events can arrive, and with `broken` when the stream ended or could not be opened: it is then reopened. */
  onState?: ((state: 'open' | 'broken') => void) | undefined;
};

export type EventListing = Pick<Operation, 'path' | 'name' | 'credentials'>;

/** The four ways to read one listing of events. */
export type EventReader<Event, Query> = {
  page: (query?: Query, options?: RequestOptions) => Promise<EventsPage<Event, Query>>;
  each: (query?: Query, options?: RequestOptions) => AsyncGenerator<Event, void, undefined>;
  export: (query?: ExportQuery<Query>, options?: ExportOptions) => AsyncGenerator<Event, void, undefined>;
  follow: (query?: FollowQuery<Query>, options?: FollowOptions) => AsyncGenerator<Event, void, undefined>;
};

export function eventReader<Event extends { position: string }, Query extends EventsQuery>(
  transport: Transport,
  listing: EventListing,
): EventReader<Event, Query> {
  return {
    page: (query = {} as Query, options = {}) => eventsPage<Event, Query>(transport, listing, query, options),
    each: async function* (query = {} as Query, options = {}) {
      for (let wanted: Query | null = query; wanted !== null; ) {
        const page: EventsPage<Event, Query> = await eventsPage<Event, Query>(transport, listing, wanted, options);
        yield* page.events;
        wanted = page.next;
      }
    },
    export: (query = {} as ExportQuery<Query>, options = {}) => exportEvents(transport, listing, query, options),
    follow: (query = {} as FollowQuery<Query>, options = {}) => followEvents(transport, listing, query, options),
  };
}

const eventsPage = async <Event, Query extends EventsQuery>(
  transport: Transport,
  listing: EventListing,
  query: Query,
  options: RequestOptions,
): Promise<EventsPage<Event, Query>> => {
  const events = await get<Event[]>(transport, { ...listing, query }, options);
  const info = answerInfo(events);
  if (!Array.isArray(events) && info !== undefined)
    throw new UnexpectedAnswerError(info.operation, 'answered with no list', info);
  return { events, next: nextOf(query, info?.headers.get('link') ?? null) };
};

/** The query of the next page, from a Link header: only the position is taken from its address. */
const nextOf = <Query extends EventsQuery>(query: Query, link: string | null): Query | null => {
  const target = /<([^<>]*)>\s*;[^<>,]*\brel="?next"?/u.exec(link ?? '')?.[1];
  if (target === undefined || !URL.canParse(target, 'http://registry.invalid')) return null;
  const named = new URL(target, 'http://registry.invalid').searchParams;
  const from = query.order === 'desc' ? 'before' : 'after';
  const position = named.get(from);
  // A page that does not lie after this one would be requested forever.
  if (position === null || !/^\d{1,20}$/u.test(position) || position === query[from]) return null;
  return { ...query, [from]: position };
};

/**
 * All matching events in one answer, which is read as it arrives.
 *
 * @throws BrokenStreamError if the export is incomplete, however many events have arrived
 */
async function* exportEvents<Event>(
  transport: Transport,
  listing: EventListing,
  query: ExportQuery<EventsQuery>,
  options: ExportOptions,
): AsyncGenerator<Event, void, undefined> {
  const lines = await transport.send(
    { ...listing, method: 'GET', query: { ...query, format: 'jsonl' }, repeat: 'always' },
    options,
    readAs('application/x-ndjson', async (response, deadline, { operation }) => {
      const bounds = { operation, deadline, idleTimeoutMs: limits.eventsSilenceMs, lineCharsMax: limits.eventCharsMax };
      deadline.pause();
      return { operation, all: jsonLines(response.body?.getReader(), { ...bounds, caller: options.signal }) };
    }),
  );
  let count = 0;
  for await (const line of lines.all) {
    const end = (line as { end_of_export?: EndOfExport }).end_of_export;
    if (end !== undefined) {
      if (end.events !== count) break;
      options.onEnd?.(end);
      return;
    }
    count += 1;
    yield line as Event;
  }
  throw new BrokenStreamError(lines.operation, `the export is not whole: it broke off after ${count} events`, {
    transactionId: null,
  });
}

/**
 * New events, without end: a stream that ends or breaks is reopened after the last event, so none is lost and none comes twice. Without `after` only
 * events from now on. Leaving the loop, or the signal, ends it.
 *
 * @throws RegistryError if the registry refuses, also later, when a credential no longer holds
 */
async function* followEvents<Event extends { position: string }>(
  transport: Transport,
  listing: EventListing,
  query: FollowQuery<EventsQuery>,
  options: FollowOptions,
): AsyncGenerator<Event, void, undefined> {
  let last: string | null = null;
  let failures = 0;
  const seen = (id: string): void => {
    last = id;
  };
  for (;;) {
    try {
      const stream = await openFollower(transport, listing, query, { last, seen }, options);
      options.onState?.('open');
      for await (const { event, json } of stream) {
        failures = 0;
        // The next attempt is refused, too, and its refusal says why.
        if (event !== 'message') break;
        const reported = json as Event;
        last = reported.position;
        yield reported;
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      const isOver = !(error instanceof ClientError) || (error instanceof RegistryError && error.status < 500);
      if (isOver || failures >= limits.followRetriesMax) throw error;
    }
    options.onState?.('broken');
    failures += 1;
    const waitMs = Math.min(retryDefaults.waitMs * 2 ** failures, retryDefaults.waitMsMax);
    await pause(waitMs * (0.5 + Math.random() / 2), options.signal);
  }
}

const openFollower = (
  transport: Transport,
  listing: EventListing,
  query: FollowQuery<EventsQuery>,
  { last, seen }: { last: string | null; seen: (id: string) => void },
  options: RequestOptions,
): Promise<AsyncIterable<StreamEvent>> =>
  transport.send(
    {
      ...listing,
      method: 'GET',
      query: { ...query, follow: 'true' },
      headers: last === null ? {} : { 'last-event-id': last },
      repeat: 'never',
    },
    options,
    readAs('text/event-stream', async (response, deadline, { operation }) => {
      deadline.pause();
      return readEvents(response.body?.getReader(), {
        operation,
        transactionId: null,
        deadline,
        idleTimeoutMs: limits.eventsSilenceMs,
        eventBytesMax: limits.eventCharsMax,
        caller: options.signal,
        onId: seen,
      });
    }),
  );

const readAs =
  <Result>(type: string, read: ReadAnswer<Result>): ReadAnswer<Result> =>
  async (response, deadline, info) => {
    if (response.headers.get('content-type')?.startsWith(type) === true) return read(response, deadline, info);
    response.body?.cancel().catch(() => {});
    throw new UnexpectedAnswerError(info.operation, `answered with no ${type}`, info);
  };
