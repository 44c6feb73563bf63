import { ArgumentsError } from '@agent-trust/command-line';
import { expect, test } from 'vitest';
import { chosenByName, readBudget, readSeeds, readTries } from './read-arguments.ts';

const named = [{ name: 'ring' }, { name: 'on-off' }];

test('reads what is right', () => {
  expect(readSeeds('7')).toEqual([7]);
  expect(readSeeds('4294967294-4294967295')).toEqual([4_294_967_294, 4_294_967_295]);
  expect(readBudget('50,0,10000')).toEqual({ organisations: 50, agents: 0, exchanges: 10_000 });
  expect(readTries('1')).toBe(1);
  expect(readTries('100000')).toBe(100_000);
  expect(chosenByName('attack', named, 'on-off')).toEqual([{ name: 'on-off' }]);
  expect(chosenByName('attack', named, undefined)).toBe(named);
});

test.each<[string, () => unknown, RegExp]>([
  ['a range that falls', () => readSeeds('20-1'), /^--seed must be/],
  ['too many seeds', () => readSeeds('1-1001'), /^--seed must be/],
  ['a seed that is too large', () => readSeeds('4294967296'), /^--seed must be/],
  ['a negative seed', () => readSeeds('-1'), /^--seed must be/],
  ['a budget of two', () => readBudget('1,2'), /^--budget must be three whole numbers up to 50,1000,10000/],
  ['too many organisations', () => readBudget('51,2,3'), /^--budget must be/],
  ['too many exchanges', () => readBudget('1,2,10001'), /^--budget must be/],
  ['a budget with a part', () => readBudget('1,2.5,3'), /^--budget must be/],
  ['no tries', () => readTries('0'), /^--tries must be/],
  ['too many tries', () => readTries('100001'), /^--tries must be/],
  ['a name of none', () => chosenByName('goal', named, 'fame'), /^there is no goal "fame"; there are ring, on-off$/],
])('%s is refused', (_name, read, problem) => {
  expect(read).toThrow(ArgumentsError);
  expect(read).toThrow(problem);
});
