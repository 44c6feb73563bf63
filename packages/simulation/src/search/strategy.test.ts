import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../random/seeded-random.ts';
import { fitted, neighbour, randomStrategy, type Ranges } from './strategy.ts';

const ranges: fc.Arbitrary<Ranges> = fc.dictionary(
  fc.string(),
  fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 1000 })).map(([least, more]) => ({ least, most: least + more })),
  { minKeys: 1, maxKeys: 20 },
);

test('a strategy has a whole number in range for each parameter, whichever step made it', () => {
  fc.assert(
    fc.property(ranges, fc.nat(), (given, seed) => {
      const random = seededRandom(seed);
      let strategy = randomStrategy(given, random);
      for (let step = 0; step < 20; step += 1) {
        expect(fitted(strategy, given)).toEqual(strategy);
        expect(Object.values(strategy).every(Number.isInteger)).toBe(true);
        const next = neighbour(strategy, given, random);
        expect(Object.keys(given).filter((name) => next[name] !== strategy[name]).length).toBeLessThanOrEqual(3);
        strategy = next;
      }
    }),
  );
});

test('draws reach both ends of a range, and every value of a small one', () => {
  const random = seededRandom(1);
  const given = { small: { least: 0, most: 3 }, large: { least: 1, most: 1000 } };
  const drawn = Array.from({ length: 2000 }, () => randomStrategy(given, random));
  expect(new Set(drawn.map(({ small }) => small))).toEqual(new Set([0, 1, 2, 3]));
  const large = drawn.map(({ large: value = 0 }) => value);
  expect([Math.min(...large), Math.max(...large) > 900]).toEqual([1, true]);
  expect(large.filter((value) => value > 1 && value <= 32).length).toBeGreaterThan(400);
});

test('what a strategy leaves out is at its least, and what is too much at its most', () => {
  expect(fitted({ a: 1000 }, { a: { least: 0, most: 7 }, b: { least: 2, most: 5 } })).toEqual({ a: 7, b: 2 });
});
