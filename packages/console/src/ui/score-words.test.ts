import { expect, it } from 'vitest';
import { actionAt } from './score-words.ts';

it.each([
  [100, 'proceed'],
  [70, 'proceed'],
  [69, 'proceed_with_limits'],
  [50, 'proceed_with_limits'],
  [49, 'abort'],
  [0, 'abort'],
])('a score of %i means %s', (score, action) => {
  expect(actionAt(score)).toBe(action);
});
