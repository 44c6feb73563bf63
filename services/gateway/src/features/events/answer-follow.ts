import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { limits } from '@agent-trust/contracts';
import type { FastifyReply } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import { clientGone } from '../../http/client-gone.ts';
import { statusOf } from '../../http/error-answer.ts';
import { type EventsQuery, followedFrom } from './asked-mode.ts';
import { type EventSource, type PageRequest, pageRequestOf } from './event-source.ts';
import { eventsLimits } from './limits.ts';
import { sendByHand } from './send-by-hand.ts';

/**
 * Events as they come, as server-sent events whose ids are positions: a client that comes back with Last-Event-ID, to whichever gateway,
 * goes on without a gap. Nothing is kept for a follower but where it is: the next question is asked when the client has taken the last
 * answer, so a slow client only falls behind. It ends where the credential no longer holds, and when this gateway stops.
 */
export async function answerFollow(
  gateway: Gateway,
  reply: FastifyReply,
  source: EventSource,
  query: EventsQuery,
): Promise<FastifyReply> {
  const asked = pageRequestOf(query, limits.eventsPageMax);
  const from = followedFrom(reply.request, query);
  // Asked before anything is sent, so that what goes wrong here is answered as an error; newest first, since it is for the position.
  const now = await source.read({ ...asked, after: null, order: 'desc', limit: 1 });
  const gone = clientGone(reply);
  const ended = AbortSignal.any([gone, gateway.stopping, AbortSignal.timeout(eventsLimits.followTotalMs)]);
  const texts = followed(source, { ...asked, after: from ?? now.upTo }, ended);
  await sendByHand(gateway, reply, 'text/event-stream', Readable.from(texts, { highWaterMark: 1 }));
  return reply;
}

async function* followed(source: EventSource, asked: PageRequest, ended: AbortSignal): AsyncGenerator<string> {
  let after = asked.after;
  // With the place that it begins at, though nothing stands there: a client that is cut off before its first event comes back to it.
  yield `retry: ${eventsLimits.reconnectMs}\n${placeAt(after)}\n`;
  let saidAt = performance.now();
  let unansweredSince: number | null = null;
  let pauseMs: number = eventsLimits.retryPauseMsMin;
  while (!ended.aborted) {
    try {
      // Of what is left until the client is to hear something: a busy log ends every wait early, also with nothing that was asked for.
      const waitMs = Math.max(1, Math.ceil(eventsLimits.followWaitMs - (performance.now() - saidAt)));
      const answered = await source.read({ ...asked, after, waitMs }, ended);
      unansweredSince = null;
      pauseMs = eventsLimits.retryPauseMsMin;
      const hasCome = answered.events.length > 0 || answered.seenTo !== after;
      after = answered.seenTo ?? after;
      const isSilentForLong = performance.now() - saidAt >= eventsLimits.followWaitMs;
      if (answered.events.length > 0) yield answered.events.map(asServerSentEvent).join('');
      else if (!hasCome || isSilentForLong) yield `: still here\n${placeAt(after)}\n`;
      if (answered.events.length > 0 || !hasCome || isSilentForLong) saidAt = performance.now();
      if (!answered.isCut) await pause(eventsLimits.followPauseMs, ended);
    } catch (error) {
      if (ended.aborted) break;
      // Whoever may no longer see this is told no more than that it is over; a part that is away for a moment comes back.
      if (statusOf(error) < 500) {
        yield 'event: end\ndata: {"reason":"not_allowed_any_more"}\n\n';
        return;
      }
      unansweredSince ??= performance.now();
      if (performance.now() - unansweredSince > eventsLimits.unansweredMsMax) throw error;
      yield ': waiting for the log\n\n';
      saidAt = performance.now();
      await pause(pauseMs, ended);
      pauseMs = Math.min(pauseMs * 2, eventsLimits.retryPauseMsMax);
    }
  }
  yield ': come back with Last-Event-ID\n\n';
}

/** Where a client is that has had everything up to a position. Without data it is no event, and yet what Last-Event-ID will say. */
const placeAt = (position: string | null): string => (position === null ? '' : `id: ${position}\n`);

const asServerSentEvent = (event: { position: string }): string =>
  `id: ${event.position}\ndata: ${JSON.stringify(event)}\n\n`;

const pause = async (ms: number, ended: AbortSignal): Promise<void> => {
  try {
    await delay(ms, undefined, { signal: ended });
  } catch {
    // Woken early: the caller looks at the signal.
  }
};
