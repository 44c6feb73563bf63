import {
  DomainError,
  faultAt,
  type EventsPageRequest,
  positionText,
  type ValidationItem,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';

/** The parsed query of a listing of events. */
export type EventsQuery = {
  type?: string[] | undefined;
  correlation_id?: string | undefined;
  transaction_id?: string | undefined;
  credential?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
  order: 'asc' | 'desc';
  limit?: number | undefined;
  follow?: 'true' | 'false' | undefined;
  format?: 'json' | 'jsonl' | undefined;
};

/** Events in their wire form, and how far they go; see `answeredPage` in contracts. */
export type EventsPage = {
  events: readonly { position: string }[];
  upTo: string | null;
  seenTo: string | null;
  isCut: boolean;
};

export type EventSource = {
  /** The path of the listing, for links to its pages. */
  path: string;
  /** Whose followers and exports they are: they share a limit. */
  caller: string;
  /** Further filters of the query, for links to its pages. */
  filters: Record<string, string>;
  /** Reads a page. The credential is checked each time, so that a revoked one gets nothing more. `signal` ends the wait of a query that waits. */
  read(page: EventsPageRequest, signal?: AbortSignal): Promise<EventsPage>;
};

export function pageRequestOf(query: EventsQuery, limit: number): EventsPageRequest {
  return {
    types: query.type ?? null,
    correlationId: query.correlation_id ?? null,
    transactionId: query.transaction_id ?? null,
    credential: query.credential ?? null,
    from: query.from ?? null,
    to: query.to ?? null,
    after: query.after ?? null,
    before: query.before ?? null,
    order: query.order,
    limit,
    waitMs: 0,
  };
}

/** One page, all events as JSON Lines, or events as they come. */
export type Mode = 'page' | 'export' | 'follow';

const notWith: Record<Exclude<Mode, 'page'>, readonly (keyof EventsQuery)[]> = {
  export: ['limit'],
  follow: ['from', 'to', 'before', 'limit'],
};

/**
 * The form of the answer: as the query says, else as the Accept header does. @throws DomainError validation_failed for invalid
 * combinations.
 */
export function askedMode(request: FastifyRequest, query: EventsQuery): Mode {
  if (query.follow === 'true' && query.format !== undefined) {
    throw faultAt('validation_failed', ['query', 'format'], 'cannot be had together with follow');
  }
  const mode = modeOf(request, query);
  if (mode === 'page') return mode;
  const faults = notWith[mode].filter((name) => query[name] !== undefined);
  if (query.order === 'desc') faults.push('order');
  if (faults.length === 0) return mode;
  const msg = `cannot be had together with ${mode === 'export' ? 'an export' : 'follow'}`;
  const items = faults.map((name): ValidationItem => ({ loc: ['query', name], msg, type: 'value_error' }));
  throw new DomainError('validation_failed', msg, { items });
}

const modeOf = (request: FastifyRequest, { follow, format }: EventsQuery): Mode => {
  if (follow === 'true') return 'follow';
  if (format !== undefined) return format === 'jsonl' ? 'export' : 'page';
  if (follow === undefined && accepts(request, 'text/event-stream')) return 'follow';
  return accepts(request, 'application/x-ndjson') ? 'export' : 'page';
};

const accepts = ({ headers }: FastifyRequest, type: string): boolean =>
  (headers.accept ?? '').split(',').some((range) => {
    const [name, ...parameters] = range.toLowerCase().split(';');
    // A weight of 0 means not acceptable (RFC 9110 §12.4.2).
    return name?.trim() === type && !parameters.some((one) => /^\s*q=0(?:\.0{0,3})?\s*$/u.test(one));
  });

/** Where a follower continues: after Last-Event-ID, else after the position of its query; null for now. */
export function followedFrom({ headers }: FastifyRequest, { after }: EventsQuery): string | null {
  const last = headers['last-event-id'];
  if (last === undefined || last === '') return after ?? null;
  if (positionText.safeParse(last).success) return String(last);
  throw faultAt('validation_failed', ['header', 'last-event-id'], 'must be the id of an event of this stream');
}

/** Bounds of event listings at one gateway. */
export const eventsLimits = {
  /** Concurrent followers and exports, of all callers and of one: an organisation, or the operators together. */
  streams: { ownerMax: 8, allMax: 128 },
  /** Queries for one page, whose filter may find little in a long log. */
  readsPerPageMax: 20,
  /** How long one query of a follower waits for an event; after it a comment shows the client that the stream is alive. */
  followWaitMs: 10_000,
  /** Longest time that a query may take beyond its wait. */
  questionTimeoutMs: 10_000,
  /** Between two queries of a follower that is up to date, so that single events are read several at a time. */
  followPauseMs: 100,
  /** First and longest pause of a follower while queries fail, and how long it retries. */
  retryPauseMsMin: 250,
  retryPauseMsMax: 4_000,
  unansweredMsMax: 60_000,
  /** How long a client may read nothing. */
  stallMs: 30_000,
  /** How long one follower is served; it reconnects with Last-Event-ID and is admitted again. */
  followTotalMs: 3_600_000,
  reconnectMs: 1_000,
} as const;
