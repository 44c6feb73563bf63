import { finished } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import { answerFollow } from './answer-follow.ts';
import { answerLines } from './answer-lines.ts';
import { answerPage } from './answer-page.ts';
import { askedMode, type EventsQuery } from './asked-mode.ts';
import type { EventSource } from './event-source.ts';

/** Answers a listing of events in the way that is asked for. Followers and exports take a place until they are over. */
export async function answerEvents(
  gateway: Gateway,
  { request, reply, query }: { request: FastifyRequest; reply: FastifyReply; query: EventsQuery },
  source: EventSource,
): Promise<unknown> {
  const mode = askedMode(request, query);
  if (mode === 'page') return answerPage(reply, source, query, gateway.baseUrl);
  finished(reply.raw, gateway.eventStreams.acquire(source.caller));
  return mode === 'export' ? answerLines(gateway, reply, source, query) : answerFollow(gateway, reply, source, query);
}
