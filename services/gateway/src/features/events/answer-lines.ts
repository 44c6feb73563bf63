import { Readable } from 'node:stream';
import { type ExportEnd, limits } from '@agent-trust/contracts';
import type { FastifyReply } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import type { EventsQuery } from './asked-mode.ts';
import { type EventsPage, type EventSource, type PageRequest, pageRequestOf } from './event-source.ts';
import { sendByHand } from './send-by-hand.ts';

/**
 * Everything that a query names as JSON Lines, up to where the log is now: one page is held at a time, and a slow client slows the
 * reading. The last line says that it was the last and how many there were; where a page fails the connection breaks and the line is
 * missing, so neither a client nor whoever reads its file later takes a part for the whole.
 */
export async function answerLines(
  gateway: Gateway,
  reply: FastifyReply,
  source: EventSource,
  query: EventsQuery,
): Promise<FastifyReply> {
  const page = pageRequestOf(query, limits.eventsPageMax);
  // Before anything is sent, so that what goes wrong here is answered as an error.
  const first = await source.read(page);
  await sendByHand(gateway, reply, 'application/x-ndjson', Readable.from(lines(source, page, first)));
  return reply;
}

async function* lines(source: EventSource, asked: PageRequest, first: EventsPage): AsyncGenerator<string> {
  // What comes while it is read belongs to the next export: on a busy log there would be no end.
  const before = beforeEnd(asked.before, first.upTo);
  let answered = first;
  let events = 0;
  for (;;) {
    events += answered.events.length;
    if (answered.events.length > 0) yield answered.events.map((event) => `${JSON.stringify(event)}\n`).join('');
    if (!answered.isCut || answered.seenTo === null) break;
    answered = await source.read({ ...asked, after: answered.seenTo, before });
  }
  const end: ExportEnd = { end_of_export: { events, up_to_position: before === null ? null : previous(before) } };
  yield `${JSON.stringify(end)}\n`;
}

const beforeEnd = (before: string | null, upTo: string | null): string | null => {
  if (upTo === null) return before;
  const end = BigInt(upTo) + 1n;
  return String(before !== null && BigInt(before) < end ? BigInt(before) : end);
};

const previous = (position: string): string | null => (position === '0' ? null : String(BigInt(position) - 1n));
