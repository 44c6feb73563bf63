import { expect, test } from 'vitest';
import { type Adapter, eventLogOf, type Feed } from './adapter.ts';
import type { RecordedEvent } from './port.ts';

// The pause is longer than the test: a lost `hurry` leaves it waiting.
test('who hurries a subscription while it reads a page does not wait for the pause before the next page', async () => {
  const event = (position: bigint) => ({ position }) as RecordedEvent;
  const firstPage = Promise.withResolvers<RecordedEvent[]>();
  const reading = Promise.withResolvers<void>();
  const pages = [
    () => (reading.resolve(), firstPage.promise),
    async (gather: () => Promise<void>) => {
      await gather();
      return [event(2n)];
    },
  ];
  const feed: Feed = {
    next: (_after, _eventsMax, _signal, gather) => pages.shift()?.(gather) ?? Promise.resolve([]),
    failure: () => null,
    drop: () => Promise.resolve(),
  };
  const log = eventLogOf({ openFeed: () => feed } as unknown as Adapter, new AbortController(), {});
  const subscription = log.subscribeToAll({ after: null, pauseMs: 3_600_000 });
  const batches = subscription[Symbol.asyncIterator]();
  const first = batches.next();
  await reading.promise;
  subscription.hurry();
  firstPage.resolve([event(1n)]);
  expect((await first).value).toEqual([event(1n)]);
  expect((await batches.next()).value).toEqual([event(2n)]);
  await subscription.close();
});
