import { Readable } from 'node:stream';
import { type EventsPageRequest, type ExportEnd, limits } from '@agent-trust/contracts';
import type { FastifyReply } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import { type EventsPage, type EventSource, type EventsQuery, pageRequestOf, eventsLimits } from './event-query.ts';
import { sendByHand } from './send-by-hand.ts';

/** One page. If a filter finds little in a long log, the reads for it are limited: the page is then short and has a next one. */
export async function answerPage(
  reply: FastifyReply,
  source: EventSource,
  query: EventsQuery,
  baseUrl: string,
): Promise<object[]> {
  const limit = query.limit ?? limits.eventsPageDefault;
  const events: object[] = [];
  let page: EventsPageRequest = pageRequestOf(query, limit);
  for (let reads = 1; ; reads += 1) {
    const answered = await source.read(page);
    events.push(...answered.events);
    if (!answered.isCut || answered.seenTo === null) return events;
    const from = page.order === 'asc' ? { after: answered.seenTo } : { before: answered.seenTo };
    page = { ...page, ...from, limit: limit - events.length };
    if (page.limit === 0 || reads === eventsLimits.readsPerPageMax) {
      reply.header('link', `<${baseUrl}${source.path}?${nextQuery(source, { ...query, limit, ...from })}>; rel="next"`);
      return events;
    }
  }
}

const nextQuery = ({ filters }: EventSource, { follow: _follow, format: _format, ...query }: EventsQuery): string => {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filters, ...query })) {
    if (value !== undefined) next.set(name, String(value));
  }
  return next.toString();
};

/**
 * All events that a query names as JSON Lines, up to the present end of the log: one page is held at a time, and a slow client slows the
 * reading. The last line states that it is the last, and the number of events. If a page fails, the connection breaks and the line is
 * missing, so that no client takes a part for the whole.
 */
export async function answerLines(
  gateway: Gateway,
  reply: FastifyReply,
  source: EventSource,
  query: EventsQuery,
): Promise<FastifyReply> {
  const page = pageRequestOf(query, limits.eventsPageMax);
  // Read before anything is sent, so that a failure is answered as an error.
  const first = await source.read(page);
  await sendByHand(gateway, reply, 'application/x-ndjson', Readable.from(lines(source, page, first)));
  return reply;
}

async function* lines(source: EventSource, asked: EventsPageRequest, first: EventsPage): AsyncGenerator<string> {
  // Later events belong to the next export: on a busy log this one would not end.
  const before = beforeEnd(asked.before, first.upTo);
  let answered = first;
  let events = 0;
  for (;;) {
    events += answered.events.length;
    if (answered.events.length > 0) yield answered.events.map((event) => `${JSON.stringify(event)}\n`).join('');
    if (!answered.isCut || answered.seenTo === null) break;
    answered = await source.read({ ...asked, after: answered.seenTo, before });
  }
  // Positions of events, so that the next part can continue from there.
  const upTo = asked.before === null ? first.upTo : answered.seenTo;
  const end: ExportEnd = { end_of_export: { events, up_to_position: upTo } };
  yield `${JSON.stringify(end)}\n`;
}

const beforeEnd = (before: string | null, upTo: string | null): string | null => {
  if (upTo === null) return before;
  const end = BigInt(upTo) + 1n;
  return String(before !== null && BigInt(before) < end ? BigInt(before) : end);
};
