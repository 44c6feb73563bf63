import { describe, expect, it } from 'vitest';
import { coalescedLookup, TooManyWaitingError } from './coalesced-lookup.ts';

const limits = { keysMax: 3, waitingMax: 10, roundTripsMax: 1 };

/** A loader whose round trips the test controls. */
const heldLoader = () => {
  const trips: { keys: string[]; answer: (error?: Error) => void }[] = [];
  const load = (keys: string[]): Promise<ReadonlyMap<string, string>> =>
    new Promise((resolve, reject) => {
      const answer = (error?: Error): void =>
        error === undefined
          ? resolve(new Map(keys.filter((key) => key !== 'none').map((key) => [key, `${key}!`])))
          : reject(error);
      trips.push({ keys, answer });
    });
  const trip = async (number: number) => {
    while (trips[number] === undefined) await Promise.resolve();
    return trips[number];
  };
  return { trips, trip, load };
};

describe('a coalesced lookup', () => {
  it('sends concurrent keys in one round trip, and each key once', async () => {
    const { trip, trips, load } = heldLoader();
    const lookup = coalescedLookup(load, limits);
    const answers = Promise.all(['a', 'b', 'a', 'none'].map(lookup));
    (await trip(0)).answer();
    expect(await answers).toEqual(['a!', 'b!', 'a!', null]);
    expect(trips.map(({ keys }) => keys)).toEqual([['a', 'b', 'none']]);
  });

  // Bug: a lookup joins a round trip that was sent earlier, and so misses a write in between.
  it('never joins a round trip under way, even for the same key', async () => {
    const { trip, trips, load } = heldLoader();
    const lookup = coalescedLookup(load, limits);
    const before = lookup('a');
    const first = await trip(0);
    const after = lookup('a');
    first.answer();
    await before;
    (await trip(1)).answer();
    expect(await after).toBe('a!');
    expect(trips.map(({ keys }) => keys)).toEqual([['a'], ['a']]);
  });

  it('splits keys beyond the limit of one round trip', async () => {
    const { trip, trips, load } = heldLoader();
    const lookup = coalescedLookup(load, limits);
    const answers = Promise.all(['a', 'b', 'c', 'd'].map(lookup));
    (await trip(0)).answer();
    (await trip(1)).answer();
    expect(await answers).toEqual(['a!', 'b!', 'c!', 'd!']);
    expect(trips.map(({ keys }) => keys)).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('fails the lookups of a failed round trip and continues', async () => {
    const { trip, load } = heldLoader();
    const lookup = coalescedLookup(load, limits);
    const failing = lookup('a');
    (await trip(0)).answer(new Error('gone'));
    await expect(failing).rejects.toThrow('gone');
    const next = lookup('a');
    (await trip(1)).answer();
    expect(await next).toBe('a!');
  });

  it('refuses lookups beyond the limit', async () => {
    const { load } = heldLoader();
    const lookup = coalescedLookup(load, limits);
    for (let n = 0; n < limits.waitingMax; n += 1) void lookup(`k${n}`);
    await expect(lookup('one more')).rejects.toThrow(TooManyWaitingError);
  });
});
