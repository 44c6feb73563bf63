import { expect, it } from 'vitest';
import type { ReadModelDatabase } from '../../shared/database.ts';
import { freshMatchIndex } from './fresh-match-index.ts';

/** An index over a database without agents, and how often it has read. */
const observed = () => {
  let state: string | null = 'first';
  let reads = 0;
  let before: Promise<void> = Promise.resolve();
  const query = async () => {
    reads += 1;
    await before;
    return [{ generation: 'b1', agentId: null }];
  };
  const database = { query } as unknown as ReadModelDatabase;
  const index = freshMatchIndex(database, { visibleState: () => state });
  return {
    index,
    reads: () => reads,
    see: (to: string | null) => void (state = to),
    wait: (until: Promise<void>) => void (before = until),
  };
};

it('reads nothing while readers see the same state, and reads for each question while that is not known', async () => {
  const { index, reads, see } = observed();
  for (let question = 0; question < 3; question += 1) await index.fresh();
  expect(reads()).toBe(1);
  see('second');
  for (let question = 0; question < 3; question += 1) await index.fresh();
  expect(reads()).toBe(2);
  see(null);
  for (let question = 0; question < 3; question += 1) await index.fresh();
  expect(reads()).toBe(5);
});

// Bug: what was read before a change counts as read after it, because the change came while it was read.
it('reads again after a change during a read', async () => {
  const { index, reads, see, wait } = observed();
  const { promise, resolve } = Promise.withResolvers<void>();
  wait(promise);
  const early = index.fresh();
  await Promise.resolve();
  await Promise.resolve();
  expect(reads()).toBe(1);
  see('second');
  const late = index.fresh();
  resolve();
  await Promise.all([early, late]);
  expect(reads()).toBe(2);
  await index.fresh();
  expect(reads()).toBe(2);
});
