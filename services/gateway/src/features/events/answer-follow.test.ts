import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { followed } from './answer-follow.ts';
import { eventsLimits, pageRequestOf } from './event-query.ts';

// Bug: the events of others end each wait early, and the client never gets a sign of life.
it('a follower gets a comment that the stream is alive while only other events arrive', async () => {
  let position = 9;
  const source = {
    read: async ({ waitMs }: { waitMs?: number }) => {
      await delay(Math.min(waitMs ?? 0, 50));
      position += 1;
      return { events: [], upTo: String(position), seenTo: String(position), isCut: false };
    },
  };
  const asked = { ...pageRequestOf({ order: 'asc' }, 10), after: '9' };
  const waitForEventMs = 3 * eventsLimits.followPauseMs;
  const ended = new AbortController();
  const texts = followed(source, asked, ended.signal, waitForEventMs);
  expect((await texts.next()).value).toContain('id: 9\n');
  const began = performance.now();
  expect((await texts.next()).value).toBe(`: still here\nid: ${position}\n\n`);
  expect(performance.now() - began).toBeGreaterThanOrEqual(waitForEventMs - 1);
  ended.abort();
  expect((await texts.next()).value).toContain(': come back with Last-Event-ID');
});
