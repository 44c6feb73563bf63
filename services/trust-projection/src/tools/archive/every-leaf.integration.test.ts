import { withArchivedLeaves } from '@agent-trust/log-archive';
import { expect, it } from 'vitest';
import { appendHistory, makeHistory } from '../../testing/made-history.ts';
import { archiveExchanges } from './archive-exchanges.ts';
import { followedLog } from './testing/followed-log.ts';

/*
 * Bug: a reader of every leaf misses some where the log is read in several batches.
 * Method: batches and segments that are much smaller than the log; every position must come once, in order, by pages and by a subscription.
 */
it('pages and subscriptions give every position of the log once, in order', { timeout: 120_000 }, async () => {
  const followed = await followedLog();
  try {
    await appendHistory(followed.log, makeHistory({ agents: 20, exchanges: 600, seed: 3 }));
    await followed.follow();
    await archiveExchanges(followed.parts, { endedBefore: new Date(Date.now() + 1_000), segmentExchangesMax: 10 });
    const head = (await followed.log.headPosition()) ?? 0n;
    const wanted = Array.from({ length: Number(head) }, (_, n) => BigInt(n + 1));
    const whole = withArchivedLeaves(followed.log, { youngMs: 0 });
    const paged: bigint[] = [];
    for (let after: bigint | null = null; ; ) {
      const page = await whole.readPacked({ after, countMax: 37 });
      if (page.lastPosition === null) break;
      paged.push(...[...page.unpack()].map(({ position }) => position));
      after = page.lastPosition;
    }
    expect(paged).toEqual(wanted);
    const delivered: bigint[] = [];
    for await (const batch of whole.subscribeToAll({ after: null, batchEventsMax: 37 })) {
      delivered.push(...batch.map(({ position }) => position));
      if (batch.at(-1)?.position === head) break;
    }
    expect(delivered).toEqual(wanted);
    expect((await followed.events()).length).toBeLessThan(wanted.length);
  } finally {
    await followed.close();
  }
});
