import { limits } from '@agent-trust/contracts';
import type { FastifyReply } from 'fastify';
import type { EventsQuery } from './asked-mode.ts';
import { type EventSource, type PageRequest, pageRequestOf } from './event-source.ts';
import { eventsLimits } from './limits.ts';

/** One page. Where a filter finds little among much, so much is looked at for it and no more: then it is short, and has a next one. */
export async function answerPage(
  reply: FastifyReply,
  source: EventSource,
  query: EventsQuery,
  baseUrl: string,
): Promise<object[]> {
  const limit = query.limit ?? limits.eventsPageDefault;
  const events: object[] = [];
  let page: PageRequest = pageRequestOf(query, limit);
  for (let reads = 1; ; reads += 1) {
    const answered = await source.read(page);
    events.push(...answered.events);
    if (!answered.isCut || answered.seenTo === null) return events;
    const from = page.order === 'asc' ? { after: answered.seenTo } : { before: answered.seenTo };
    page = { ...page, ...from, limit: limit - events.length };
    if (page.limit === 0 || reads === eventsLimits.readsPerPageMax) {
      reply.header('link', `<${baseUrl}${source.path}?${nextQuery(source, query, limit, from)}>; rel="next"`);
      return events;
    }
  }
}

const nextQuery = (
  { filters }: EventSource,
  query: EventsQuery,
  limit: number,
  from: { after?: string; before?: string },
): string => {
  const { type, correlation_id, order, after, before } = query;
  const named = { ...filters, type: type?.join(','), correlation_id, from: query.from, to: query.to, order, limit };
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...named, after, before, ...from })) {
    if (value !== undefined) next.set(name, String(value));
  }
  return next.toString();
};
