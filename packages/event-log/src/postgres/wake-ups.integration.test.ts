/**
 * Bug: the connection that hears of commits dies without a word, as a firewall lets it; from then on every reader learns of each event by its
 * poll, a second late, until the process is restarted. Method: only that connection goes through a proxy that holds its bytes back.
 */
import { randomUUID } from 'node:crypto';
import { createTestDatabase, faultProxy } from '@agent-trust/test-kit';
import { expect, it, onTestFinished } from 'vitest';
import { migratePostgresEventLog } from './migrate.ts';
import { openPostgresEventLog } from './event-log.ts';
import { PostgresFeed } from './subscription.ts';
import { WakeUps } from './wake-ups.ts';

it('a dead connection is replaced when a poll finds what it has not told', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await migratePostgresEventLog(database.url);
  const log = openPostgresEventLog(database.url);
  onTestFinished(() => log.close());
  const proxy = await faultProxy(database.url);
  onTestFinished(() => proxy.close());
  const feed = new PostgresFeed({ connectionString: database.url }, new WakeUps({ connectionString: proxy.url }));
  onTestFinished(() => feed.drop());
  const { signal } = new AbortController();
  const gathered: string[] = [];
  let after: bigint | null = null;
  const next = async (): Promise<number> => {
    const events = await feed.next(after, 100, signal, () => Promise.resolve(void gathered.push('woken')));
    after = events.at(-1)?.position ?? after;
    return events.length;
  };
  const append = () =>
    log.append(
      randomUUID(),
      [{ eventId: randomUUID(), type: 'Made', data: {}, metadata: { actor: { kind: 'operator', id: null } } as never }],
      { expectedRevision: 'no_stream' },
    );
  expect(await next()).toBe(0);
  proxy.stall();
  await append();
  let found = await next();
  // The poll may have begun before the append.
  while (found === 0) found = await next();
  expect([found, gathered]).toEqual([1, []]);
  proxy.resume();
  expect(await next()).toBe(0);
  expect(proxy.connections().total).toBe(2);
  const wokenBefore = gathered.length;
  const coming = next();
  await append();
  expect([await coming, gathered.length]).toEqual([1, wokenBefore + 1]);
});
