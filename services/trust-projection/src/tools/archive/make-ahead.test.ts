import { describe, expect, it } from 'vitest';
import { makeAhead } from './make-ahead.ts';

/** Work that ends when the test says so, and a list of what has happened. */
const workshop = () => {
  const happened: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const endOf = (name: string): PromiseWithResolvers<void> => {
    const end = ends.get(name) ?? Promise.withResolvers<void>();
    ends.set(name, end);
    return end;
  };
  const work = async (name: string): Promise<void> => {
    happened.push(name);
    await endOf(name).promise;
  };
  async function* pieces(count: number): AsyncGenerator<number> {
    for (let n = 1; n <= count; n += 1) yield n;
  }
  const run = (count: number, countMax: number): Promise<void> =>
    makeAhead(pieces(count), {
      countMax,
      make: async (n) => {
        await work(`make ${n}`);
        return n;
      },
      finish: (n) => work(`finish ${n}`),
    });
  return {
    happened,
    run,
    end: (name: string): void => endOf(name).resolve(),
    fail: (name: string): void => endOf(name).reject(new Error(name)),
  };
};
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('pieces that are made ahead', () => {
  it('are made while an earlier one is finished, and finished in their order', async () => {
    const { happened, run, end } = workshop();
    const running = run(3, 3);
    await settled();
    expect(happened).toEqual(['make 1', 'make 2', 'make 3']);
    end('make 2');
    end('make 3');
    await settled();
    expect(happened).toHaveLength(3);
    end('make 1');
    await settled();
    expect(happened.slice(3)).toEqual(['finish 1']);
    for (const n of [1, 2, 3]) end(`finish ${n}`);
    await running;
    expect(happened.slice(3)).toEqual(['finish 1', 'finish 2', 'finish 3']);
  });

  it('are no more than the limit', async () => {
    const { happened, run, end } = workshop();
    const running = run(4, 2);
    for (let n = 1; n <= 4; n += 1) {
      await settled();
      expect(happened.filter((name) => name.startsWith('make'))).toHaveLength(Math.min(4, n + 1));
      end(`make ${n}`);
      await settled();
      expect(happened.at(-1)).toBe(`finish ${n}`);
      end(`finish ${n}`);
    }
    await running;
  });

  it('are not finished behind a failure, which is reported when all work has ended', async () => {
    const { happened, run, end, fail } = workshop();
    let outcome = '';
    const running = run(5, 3).catch((error: Error) => {
      outcome = error.message;
    });
    await settled();
    fail('make 2');
    end('make 1');
    await settled();
    end('finish 1');
    await settled();
    expect(outcome).toBe('');
    for (const n of [3, 4, 5]) end(`make ${n}`);
    await running;
    expect(outcome).toBe('make 2');
    expect(happened.filter((name) => name.startsWith('finish'))).toEqual(['finish 1']);
    expect(happened).not.toContain('make 5');
  });

  it('end with the failure of what gives them', async () => {
    const finished: number[] = [];
    async function* pieces(): AsyncGenerator<number> {
      yield 1;
      throw new Error('no more');
    }
    const finish = async (n: number): Promise<void> => void finished.push(n);
    await expect(makeAhead(pieces(), { countMax: 2, make: async (n) => n, finish })).rejects.toThrow('no more');
    expect(finished).toEqual([1]);
    // Bug: the log that is changed looks like one that cannot be reached.
    const make = (): Promise<number> => Promise.reject(new Error('changed'));
    await expect(makeAhead(pieces(), { countMax: 2, make, finish })).rejects.toThrow('changed');
  });
});
