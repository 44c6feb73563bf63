import { describe, expect, it } from 'vitest';
import { shareOut } from './write-rows.ts';

describe('distributed work', () => {
  it('is all done, by every worker, with one piece each at a time', async () => {
    const busy = new Set<string>();
    const done: [worker: string, piece: number][] = [];
    await shareOut(['a', 'b'], [1, 2, 3, 4, 5], async (worker, piece) => {
      expect(busy.has(worker)).toBe(false);
      busy.add(worker);
      await Promise.resolve();
      busy.delete(worker);
      done.push([worker, piece]);
    });
    expect(done.map(([, piece]) => piece)).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(done.map(([worker]) => worker))).toEqual(new Set(['a', 'b']));
  });

  it('ends with the first failure, after all workers have stopped', async () => {
    const begun: number[] = [];
    let ended = 0;
    const failing = shareOut(['a', 'b'], [1, 2, 3, 4], async (worker, piece) => {
      begun.push(piece);
      await Promise.resolve();
      if (worker === 'a') throw new Error(`piece ${piece} failed`);
      await Promise.resolve();
      ended += 1;
    });
    await expect(failing).rejects.toThrow('piece 1 failed');
    expect(begun).toEqual([1, 2]);
    expect(ended).toBe(1);
  });

  it('can be empty', async () => {
    await expect(shareOut(['a'], [], () => Promise.reject(new Error('nothing to do')))).resolves.toBeUndefined();
  });
});
