import { expect, it } from 'vitest';
import { pointAt } from './point-at.ts';

it.each([
  ['before the first', 0, 0],
  ['at a point', 200, 1],
  ['long after it, where its value holds', 280, 1],
  ['just before the next', 297, 2],
  ['nearer to the one before, which holds', 103, 0],
  ['after the last', 900, 2],
])('%s', (_where, at, index) => {
  expect(pointAt([100, 200, 300], at, 5)).toBe(index);
});

it('takes the nearer of two points that are both near', () => {
  expect([1, 3].map((at) => pointAt([0, 4], at, 10))).toEqual([0, 1]);
});
