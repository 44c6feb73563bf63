import { describe, expect, it } from 'vitest';
import { sharedTurns } from './shared-turns.ts';

/** Work that ends when the test says so. */
const heldWork = () => {
  const begun: { key: string; end: (error?: Error) => void }[] = [];
  const work = (key: string) => (): Promise<string> =>
    new Promise((resolve, reject) => {
      begun.push({ key, end: (error) => (error === undefined ? resolve(`${key}!`) : reject(error)) });
    });
  const names = (): string[] => begun.map(({ key }) => key);
  return { begun, work, names };
};
const limits = { atOnceMax: 1, waitingMax: 3 };
const overloaded = { code: 'overloaded' };

describe('shared turns', () => {
  it('run a few at a time, in the order of arrival, and each waiting key once', async () => {
    const { begun, work, names } = heldWork();
    const turn = sharedTurns<string>({ atOnceMax: 2, waitingMax: 10 });
    const answers = ['a', 'b', 'c', 'd', 'c'].map((key) => turn(key, work(key)));
    expect(names()).toEqual(['a', 'b']);
    begun[1]?.end();
    expect(await answers[1]).toBe('b!');
    expect(names()).toEqual(['a', 'b', 'c']);
    begun[2]?.end();
    begun[0]?.end();
    expect(await Promise.all([answers[2], answers[4]])).toEqual(['c!', 'c!']);
    expect(names()).toEqual(['a', 'b', 'c', 'd']);
    begun[3]?.end();
    expect(await answers[3]).toBe('d!');
  });

  it('refuse if too many wait, and accept more when fewer do', async () => {
    const { begun, work } = heldWork();
    const turn = sharedTurns<string>(limits);
    const answers = ['a', 'b', 'c', 'd'].map((key) => turn(key, work(key)));
    await expect(turn('e', work('e'))).rejects.toMatchObject(overloaded);
    await expect(turn('b', work('b'))).rejects.toMatchObject(overloaded);
    begun[0]?.end();
    await answers[0];
    const late = turn('e', work('e'));
    for (const place of [1, 2, 3, 4]) {
      begun[place]?.end();
      await (answers[place] ?? late);
    }
    expect(await late).toBe('e!');
  });

  // Bug: abandoned work still runs, and callers who wait for an answer wait behind it.
  it('never start work that nobody waits for any more, and free its place at once', async () => {
    const { begun, work, names } = heldWork();
    const turn = sharedTurns<string>(limits);
    const running = turn('a', work('a'));
    const asker = new AbortController();
    const given = ['b', 'c', 'c'].map((key) => turn(key, work(key), key === 'b' ? undefined : asker.signal));
    asker.abort();
    await expect(Promise.all(given.slice(1))).rejects.toMatchObject(overloaded);
    const shared = [turn('d', work('d')), turn('d', work('d'))];
    await expect(turn('e', work('e'))).rejects.toMatchObject(overloaded);
    await expect(turn('e', work('e'), asker.signal)).rejects.toMatchObject(overloaded);
    begun[0]?.end();
    await running;
    begun[1]?.end();
    expect(await given[0]).toBe('b!');
    begun[2]?.end();
    expect(await Promise.all(shared)).toEqual(['d!', 'd!']);
    expect(names()).toEqual(['a', 'b', 'd']);
  });

  it('continue for other callers of the same work, and after work that fails', async () => {
    const { begun, work } = heldWork();
    const turn = sharedTurns<string>(limits);
    const failing = turn('a', work('a'));
    const asker = new AbortController();
    const [leaving, staying] = [turn('b', work('b'), asker.signal), turn('b', work('b'))];
    asker.abort();
    await expect(leaving).rejects.toMatchObject(overloaded);
    begun[0]?.end(new Error('broken'));
    await expect(failing).rejects.toThrow('broken');
    begun[1]?.end();
    expect(await staying).toBe('b!');
  });
});
