import { describe, expect, test } from 'vitest';
import { rankCorrelation } from '../statistics.ts';
import { seededRandom } from './seeded-random.ts';

describe('seeded random', () => {
  test('never changes for a seed, because published figures depend on it', () => {
    const random = seededRandom(1);
    const drawn = Array.from({ length: 4 }, () => random.below(1000));
    expect(drawn).toMatchInlineSnapshot(`
      [
        147,
        410,
        607,
        674,
      ]
    `);
  });

  test('is evenly distributed, and normally on request', () => {
    const random = seededRandom('spread');
    const counts = Array.from({ length: 10 }, () => 0);
    let [sum, squares] = [0, 0];
    for (let draw = 0; draw < 100_000; draw += 1) {
      const place = random.below(10);
      counts[place] = (counts[place] ?? 0) + 1;
      const normal = random.normal();
      sum += normal;
      squares += normal * normal;
    }
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
    expect(Math.abs(sum / 100_000)).toBeLessThan(0.02);
    expect(Math.abs(squares / 100_000 - 1)).toBeLessThan(0.02);
  });

  test('shuffles without losing anything, in every order', () => {
    const random = seededRandom('shuffle');
    const orders = new Set(Array.from({ length: 500 }, () => random.shuffled(['a', 'b', 'c']).join('')));
    expect([...orders].sort()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
  });
});

describe('rank correlation', () => {
  test('is 1 for the same order, -1 for the opposite, and ties share their rank', () => {
    expect(rankCorrelation([1, 2, 3, 4], [10, 20, 30, 400])).toBeCloseTo(1, 12);
    expect(rankCorrelation([1, 2, 3, 4], [4, 3, 2, 1])).toBeCloseTo(-1, 12);
    expect(rankCorrelation([1, 2, 3, 4], [1, 2, 2, 3])).toBeCloseTo(Math.sqrt(0.9), 12);
  });
});
