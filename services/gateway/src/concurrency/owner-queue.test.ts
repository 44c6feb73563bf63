/** Bugs: a burst is refused that would be served in a moment; a burst of one owner keeps the others waiting; a turn is lost, and the queue stands still. */
import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { createOwnerQueue, type OwnerQueue } from './owner-queue.ts';

const bounds = { ownerMax: 2, allMax: 3, ownerWaitingMax: 60, allWaitingMax: 100, waitMs: 10_000 };

/** Requests that begin in their turn, each of which the test ends by its name. */
const startAll = (queue: OwnerQueue, names: readonly string[], signal?: AbortSignal) => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const refused: string[] = [];
  for (const name of names) {
    void queue.enter(name.slice(0, 1), signal).then(
      (end) => {
        begun.push(name);
        ends.set(name, end);
      },
      (error: Error & { code: string; limitedBy?: string }) =>
        refused.push([name, error.code, ...(error.limitedBy ? [error.limitedBy] : [])].join(' ')),
    );
  }
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await setImmediate();
  };
  return { begun, refused, end };
};

it('serves sixty of one owner at once in order, two at a time', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `a${index}`);
  const { begun, refused, end } = startAll(createOwnerQueue(bounds), names);
  await setImmediate();
  for (const name of names) {
    expect(begun.at(-1)).toBe(names[Math.min(begun.length, 60) - 1]);
    expect(begun.length - begun.indexOf(name)).toBeLessThanOrEqual(2);
    await end(name);
  }
  expect([begun, refused]).toEqual([names, []]);
});

it('lets owners take turns', async () => {
  const { begun, end } = startAll(createOwnerQueue(bounds), ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1']);
  await setImmediate();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await end(name);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'c1', 'a4', 'a5']);
});

it('refuses what would wait beyond its bounds', async () => {
  const queue = createOwnerQueue({ ...bounds, ownerWaitingMax: 1, allWaitingMax: 2 });
  const { begun, refused } = startAll(queue, ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
  await setImmediate();
  expect([begun, refused]).toEqual([
    ['a1', 'a2', 'b1'],
    // The first has as many waiting as it may have; the second finds no room, which is not its own doing.
    ['a4 overloaded caller', 'c1 overloaded'],
  ]);
});

it('refuses what has waited too long or is left by its client, and goes on with the rest', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const queue = createOwnerQueue(bounds);
    const client = new AbortController();
    const early = startAll(queue, ['a1', 'a2']);
    const left = startAll(queue, ['a3'], client.signal);
    const late = startAll(queue, ['a4']);
    client.abort();
    vi.advanceTimersByTime(bounds.waitMs - 1);
    const last = startAll(queue, ['a5']);
    vi.advanceTimersByTime(1);
    await setImmediate();
    expect([left.refused, late.refused, last.refused]).toEqual([
      ['a3 overloaded caller'],
      ['a4 overloaded caller'],
      [],
    ]);
    await early.end('a1');
    expect(last.begun).toEqual(['a5']);
  } finally {
    vi.useRealTimers();
  }
});

it('says that others were in the way of a turn that has not come', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const queue = createOwnerQueue(bounds);
    const { refused } = startAll(queue, ['a1', 'a2', 'b1', 'c1']);
    vi.advanceTimersByTime(bounds.waitMs);
    await setImmediate();
    expect(refused).toEqual(['c1 overloaded']);
  } finally {
    vi.useRealTimers();
  }
});

it('counts an end once', async () => {
  const { begun, end } = startAll(createOwnerQueue({ ...bounds, ownerMax: 1 }), ['a1', 'a2', 'a3']);
  await setImmediate();
  await end('a1');
  await end('a1');
  expect(begun).toEqual(['a1', 'a2']);
});
