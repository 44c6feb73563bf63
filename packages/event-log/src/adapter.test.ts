import { expect, test } from 'vitest';
import { type Adapter, eventLogOf, type Feed } from './adapter.ts';
import type { RecordedEvent } from './port.ts';

const event = (position: bigint) => ({ position }) as RecordedEvent;

// Pauses are longer than the tests: a lost `hurry` leaves one waiting.
test('who hurries a subscription while it reads a page does not wait for the pause before the next page', async () => {
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

test('a feed that hands over each event by itself has a pause to gather more, also where the subscription asks for none', async () => {
  const arrived = [event(1n)];
  const gathering = Promise.withResolvers<void>();
  let isFirst = true;
  const feed: Feed = {
    next: async (_after, _eventsMax, _signal, gather) => {
      // Before the first batch nobody has to be waited for.
      if (!isFirst) setImmediate(gathering.resolve);
      isFirst = false;
      await gather();
      return arrived.splice(0);
    },
    failure: () => null,
    drop: () => Promise.resolve(),
  };
  const adapter = { openFeed: () => feed, gatherMs: 3_600_000 } as unknown as Adapter;
  const subscription = eventLogOf(adapter, new AbortController(), {}).subscribeToAll({ after: null });
  const batches = subscription[Symbol.asyncIterator]();
  expect((await batches.next()).value).toEqual([event(1n)]);
  const second = batches.next();
  arrived.push(event(2n));
  await gathering.promise;
  arrived.push(event(3n));
  subscription.hurry();
  expect((await second).value).toEqual([event(2n), event(3n)]);
  await subscription.close();
});
