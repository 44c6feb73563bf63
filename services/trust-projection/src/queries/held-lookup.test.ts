import { expect, it } from 'vitest';
import { heldLookup } from './held-lookup.ts';

/** Of a database whose rows are counted up. */
const counted = () => {
  let state: string | null = 'first';
  let row = 0;
  let lookups = 0;
  let before: Promise<void> = Promise.resolve();
  const find = heldLookup<{ row: number }>(
    async (key) => {
      lookups += 1;
      const found = key === 'nothing' ? null : { row };
      await before;
      return found;
    },
    () => state,
    { countMax: 2 },
  );
  return {
    find,
    lookups: () => lookups,
    change: (to: string | null) => {
      row += 1;
      state = to;
    },
    wait: (until: Promise<void>) => void (before = until),
  };
};

it('looks a key up once while readers see the same state, also one that has nothing', async () => {
  const { find, lookups } = counted();
  expect([await find('a'), await find('a')]).toEqual([{ row: 0 }, { row: 0 }]);
  expect([await find('nothing'), await find('nothing')]).toEqual([null, null]);
  expect(lookups()).toBe(2);
});

it('looks up again after a change, and each time while the state is not known', async () => {
  const { find, lookups, change } = counted();
  await find('a');
  change('second');
  expect([await find('a'), await find('a')]).toEqual([{ row: 1 }, { row: 1 }]);
  change(null);
  expect([await find('a'), await find('a')]).toEqual([{ row: 2 }, { row: 2 }]);
  expect(lookups()).toBe(4);
});

// Bug: what was read before a change is kept as if it had been read after it.
it('does not keep for a state what was asked for in another one', async () => {
  const { find, change, wait } = counted();
  const { promise, resolve } = Promise.withResolvers<void>();
  wait(promise);
  const early = find('a');
  change('second');
  const late = find('b');
  resolve();
  expect([await early, await late]).toEqual([{ row: 0 }, { row: 1 }]);
  expect(await find('a')).toEqual({ row: 1 });
});

it('keeps no more than its limit', async () => {
  const { find, lookups } = counted();
  for (const key of ['a', 'b', 'c', 'a']) await find(key);
  expect(lookups()).toBe(4);
});
