import { Readable } from 'node:stream';
import { type EventsPageRequest, limits } from '@agent-trust/contracts';
import { pause } from '@agent-trust/limits';
import type { FastifyReply } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import { clientGone } from '../../http/client-gone.ts';
import { statusOf } from '../../http/error-answer.ts';
import { type EventSource, type EventsQuery, followedFrom, pageRequestOf, eventsLimits } from './event-query.ts';
import { sendByHand } from './send-by-hand.ts';

/**
 * Events as they come, as server-sent events whose ids are positions: a client that reconnects with Last-Event-ID, to whichever gateway,
 * misses nothing. The only state of a follower is its position: the next query is sent when the client has taken the last answer, so a
 * slow client only falls behind. The stream ends if the credential is no longer valid, and when this gateway stops.
 */
export async function answerFollow(
  gateway: Gateway,
  reply: FastifyReply,
  source: EventSource,
  query: EventsQuery,
): Promise<FastifyReply> {
  const asked = pageRequestOf(query, limits.eventsPageMax);
  const from = followedFrom(reply.request, query);
  // Read before anything is sent, so that a failure is answered as an error; newest first, since only the position matters.
  const now = await source.read({ ...asked, after: from, order: 'desc', limit: 1 });
  const gone = clientGone(reply);
  const ended = AbortSignal.any([gone, gateway.stopping, AbortSignal.timeout(eventsLimits.followTotalMs)]);
  const texts = followed(source, { ...asked, after: from ?? now.upTo }, ended);
  await sendByHand(gateway, reply, 'text/event-stream', Readable.from(texts, { highWaterMark: 1 }));
  return reply;
}

/** The texts of the stream. After `waitForEventMs` without an event, a comment shows the client that the stream is alive. */
export async function* followed(
  source: Pick<EventSource, 'read'>,
  asked: EventsPageRequest,
  ended: AbortSignal,
  waitForEventMs: number = eventsLimits.followWaitMs,
): AsyncGenerator<string> {
  let after = asked.after;
  // The first text has a position: a client that is cut off before its first event reconnects with it.
  yield `retry: ${eventsLimits.reconnectMs}\n${positionLine(after)}\n`;
  let sentAt = performance.now();
  let failingSince: number | null = null;
  let pauseMs: number = eventsLimits.retryPauseMsMin;
  while (!ended.aborted) {
    try {
      // The time left until the next sign of life is due: a busy log ends each wait early, also if no event matches.
      const waitMs = Math.max(1, Math.ceil(waitForEventMs - (performance.now() - sentAt)));
      const { events, seenTo, isCut } = await source.read({ ...asked, after, waitMs }, ended);
      failingSince = null;
      pauseMs = eventsLimits.retryPauseMsMin;
      const isDue = seenTo === after || performance.now() - sentAt >= waitForEventMs;
      after = seenTo ?? after;
      if (events.length > 0) yield events.map(asServerSentEvent).join('');
      else if (isDue) yield `: still here\n${positionLine(after)}\n`;
      if (events.length > 0 || isDue) sentAt = performance.now();
      if (!isCut) await pause(eventsLimits.followPauseMs, ended);
    } catch (error) {
      if (ended.aborted) break;
      // A caller whose access has ended gets no reason; a service that is briefly unavailable is asked again.
      if (statusOf(error) < 500) {
        yield 'event: end\ndata: {"reason":"not_allowed_any_more"}\n\n';
        return;
      }
      failingSince ??= performance.now();
      if (performance.now() - failingSince > eventsLimits.unansweredMsMax) throw error;
      yield ': waiting for the log\n\n';
      sentAt = performance.now();
      await pause(pauseMs, ended);
      pauseMs = Math.min(pauseMs * 2, eventsLimits.retryPauseMsMax);
    }
  }
  yield ': come back with Last-Event-ID\n\n';
}

/** A line without data is no event, but sets the Last-Event-ID of the client. */
const positionLine = (position: string | null): string => (position === null ? '' : `id: ${position}\n`);

const asServerSentEvent = (event: { position: string }): string =>
  `id: ${event.position}\ndata: ${JSON.stringify(event)}\n\n`;
