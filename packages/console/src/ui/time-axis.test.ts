import { expect, it } from 'vitest';
import { dayAround, wholeIncrements } from './time-axis.ts';

it('a chart of a single moment shows the day around it', () => {
  expect(dayAround(100_000)).toEqual([56_800, 143_200]);
});

it('ticks of values are whole, and ascend', () => {
  expect(wholeIncrements.slice(0, 6)).toEqual([1, 2, 5, 10, 20, 50]);
  expect(wholeIncrements.every((increment) => Number.isSafeInteger(increment))).toBe(true);
});
