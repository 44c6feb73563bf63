import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SortedNumbers } from './sorted-numbers.ts';

const contents = ({ chunks }: SortedNumbers): number[] =>
  chunks.flatMap(({ values, count }) => [...values.subarray(0, count)]);

it('keeps its numbers in order through additions and removals', () => {
  fc.assert(
    // Enough numbers to split chunks, and enough removals to empty some.
    fc.property(fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 700, maxLength: 3_000 }), (numbers) => {
      const list = new SortedNumbers((a, b) => b - a);
      const held = new Set<number>();
      for (const number of numbers) {
        if (held.delete(number)) list.remove(number);
        else {
          held.add(number);
          list.insert(number);
        }
      }
      expect(contents(list)).toEqual([...held].toSorted((a, b) => b - a));
      expect(list.size).toBe(held.size);
      for (const number of held) list.remove(number);
      expect([list.size, list.chunks.length]).toEqual([0, 0]);
    }),
    { numRuns: 30 },
  );
});

it('reports a number that it does not contain', () => {
  const list = new SortedNumbers((a, b) => a - b);
  list.insert(1);
  for (const absent of [0, 2]) expect(() => list.remove(absent)).toThrow('not in the list');
});
