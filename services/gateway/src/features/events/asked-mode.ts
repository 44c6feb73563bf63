import { DomainError, faultAt, positionText, type ValidationItem } from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';

/** What the query of a listing of events says, as its route has parsed it. */
export type EventsQuery = {
  type?: string[] | undefined;
  correlation_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
  order: 'asc' | 'desc';
  limit?: number | undefined;
  follow?: 'true' | 'false' | undefined;
  format?: 'json' | 'jsonl' | undefined;
};

/** One page, everything as JSON Lines, or events as they come. */
export type Mode = 'page' | 'export' | 'follow';

const notWith: Record<Exclude<Mode, 'page'>, readonly (keyof EventsQuery)[]> = {
  export: ['limit'],
  follow: ['from', 'to', 'before', 'limit'],
};

const accepts = ({ headers }: FastifyRequest, type: string): boolean =>
  (headers.accept ?? '').split(',').some((range) => {
    const [name, ...parameters] = range.toLowerCase().split(';');
    // A weight of 0 says that it is not acceptable (RFC 9110, 12.4.2).
    return name?.trim() === type && !parameters.some((one) => /^\s*q=0(?:\.0{0,3})?\s*$/u.test(one));
  });

/**
 * How the events are wanted: as the query says, else as the Accept header does.
 *
 * @throws DomainError validation_failed for what cannot be had together
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
  const what = mode === 'export' ? 'an export' : 'follow';
  const items = faults.map(
    (name): ValidationItem => ({
      loc: ['query', name],
      msg: `cannot be had together with ${what}`,
      type: 'validation_failed',
    }),
  );
  throw new DomainError('validation_failed', `cannot be had together with ${what}`, { items });
}

const modeOf = (request: FastifyRequest, { follow, format }: EventsQuery): Mode => {
  if (follow === 'true') return 'follow';
  if (format !== undefined) return format === 'jsonl' ? 'export' : 'page';
  if (follow === undefined && accepts(request, 'text/event-stream')) return 'follow';
  return accepts(request, 'application/x-ndjson') ? 'export' : 'page';
};

/** Where a follower goes on: behind the last event that it says it got, else behind what its query names; null for now. */
export function followedFrom({ headers }: FastifyRequest, { after }: EventsQuery): string | null {
  const last = headers['last-event-id'];
  if (last === undefined || last === '') return after ?? null;
  if (positionText.safeParse(last).success) return String(last);
  throw faultAt('validation_failed', ['header', 'last-event-id'], 'must be the id of an event of this stream');
}
