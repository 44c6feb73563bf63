import { expect, it } from 'vitest';
import { barLengths } from './bar-lengths.ts';

// Bug: a bar is longer than the score, because a part that takes points away is drawn as none.
it('adds up to the score, also where the record takes points from the start', () => {
  const parts = [
    { kind: 'prior', points: 40 },
    { kind: 'record', points: -15 },
    { kind: 'third_voice', points: 4 },
    { kind: 'root', points: 9.5 },
  ] as const;
  expect(barLengths(parts)).toEqual([25, 0, 4, 9.5]);
  expect(barLengths(parts.filter(({ kind }) => kind !== 'record'))).toEqual([40, 4, 9.5]);
});

it('has no length below 0', () => {
  expect(barLengths([{ kind: 'record', points: -2 }])).toEqual([0]);
  expect(barLengths([])).toEqual([]);
});
