import type { listEvents } from '@agent-trust/contracts';
import type { z } from 'zod';
import type { EventsQuery } from './asked-mode.ts';

type Input = z.output<typeof listEvents.input>;

/** Which part of the events that a request asks for is wanted now. */
export type PageRequest = Pick<
  Input,
  'types' | 'correlationId' | 'from' | 'to' | 'after' | 'before' | 'order' | 'limit' | 'waitMs'
>;

/** Events in the wire's form, and how far they go; see `answeredPage` in contracts. */
export type EventsPage = {
  events: readonly { position: string }[];
  upTo: string | null;
  seenTo: string | null;
  isCut: boolean;
};

/** Where events come from. */
export type EventSource = {
  /** The path of the listing, for links to its pages. */
  path: string;
  /** Whose followers and exports they are, so that they share a bound. */
  caller: string;
  /** Filters of its own in the query, for links to its pages. */
  filters: Record<string, string>;
  /**
   * Asks for a page, as somebody whose credential still holds: it is looked at again each time, so that whoever loses it gets nothing
   * more. `signal` ends the wait of a question that waits.
   */
  read(page: PageRequest, signal?: AbortSignal): Promise<EventsPage>;
};

/** The page that a query names, all of it. */
export function pageRequestOf(query: EventsQuery, limit: number): PageRequest {
  return {
    types: query.type ?? null,
    correlationId: query.correlation_id ?? null,
    from: query.from ?? null,
    to: query.to ?? null,
    after: query.after ?? null,
    before: query.before ?? null,
    order: query.order,
    limit,
    waitMs: 0,
  };
}
