import { expect, it } from 'vitest';
import { pathSteps } from './path-steps.ts';

const sides = (index: number, size: number, count: number): string[] =>
  pathSteps(
    index,
    size,
    Array.from({ length: count }, (_, at) => String(at)),
  ).map(({ side }) => side);

it.each([
  // The tree of seven leaves in RFC 9162 §2.1.5.
  [0, 7, 3, ['right', 'right', 'right']],
  [3, 7, 3, ['left', 'left', 'right']],
  [4, 7, 3, ['right', 'right', 'left']],
  [6, 7, 2, ['left', 'left']],
  [0, 1, 0, []],
])('of leaf %i of %i', (index, size, count, expected) => {
  expect(sides(index, size, count)).toEqual(expected);
});
