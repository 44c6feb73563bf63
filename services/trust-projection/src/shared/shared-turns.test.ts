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

  // Bug: a client that asks for hundreds of things has all others wait behind them.
  it('go round the clients: one piece each, in the order of their arrival', async () => {
    const { begun, work, names } = heldWork();
    const turn = sharedTurns<string>({ atOnceMax: 1, waitingMax: 10 });
    const ask = (key: string, client: string) => turn(key, work(key), undefined, client);
    const flood = ['a1', 'a2', 'a3', 'shared', 'a5'].map((key) => ask(key, 'a'));
    const others = [ask('b1', 'b'), ask('b2', 'b'), ask('shared', 'c')];
    const answers = [...flood, ...others];
    for (let place = 0; place < 7; place += 1) {
      begun[place]?.end();
      await new Promise(setImmediate);
    }
    await Promise.all(answers);
    // What two clients wait for runs once, at the first turn of either.
    expect(names()).toEqual(['a1', 'a2', 'b1', 'shared', 'a3', 'b2', 'a5']);
  });

  it('let no client take all places of the queue, and remember none that waits no more', async () => {
    const { begun, work, names } = heldWork();
    const turn = sharedTurns<string>({ atOnceMax: 1, waitingMax: 4, waitingOfClientMax: 2 });
    const running = turn('a', work('a'), undefined, 'one');
    const asker = new AbortController();
    const leaving = ['b', 'c'].map((key) => turn(key, work(key), asker.signal, 'one'));
    await expect(turn('d', work('d'), undefined, 'one')).rejects.toMatchObject(overloaded);
    const other = turn('e', work('e'), undefined, 'two');
    asker.abort();
    await expect(Promise.all(leaving)).rejects.toMatchObject(overloaded);
    const again = turn('b', work('b'), undefined, 'one');
    for (const place of [0, 1, 2]) {
      begun[place]?.end();
      await new Promise(setImmediate);
    }
    await Promise.all([running, other, again]);
    expect(names()).toEqual(['a', 'e', 'b']);
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
