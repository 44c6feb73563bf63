import { ArgumentsError, readOptions } from '@agent-trust/command-line';
import { allAttacks } from '@agent-trust/simulation';
import { expect, test } from 'vitest';
import { attacksAndSeeds, simulationOptions } from './read-arguments.ts';

const read = (args: string[]) => attacksAndSeeds(readOptions(args, simulationOptions), allAttacks);

test.each([
  [['--seed=-1'], /--seed must be/],
  [['--seed', '-1'], /--seed/],
  [['--seed', '20-1'], /--seed must be/],
  [['--seed', '1-1001'], /--seed must be/],
  [['--seed', '4294967296'], /--seed must be/],
  [['--seed'], /--seed <value>' argument missing/],
  [['--seed='], /--seed needs a value/],
  [['--attack', 'nobody'], /there is no attack "nobody"; there are sybil-farm/],
  [['--attack', 'on-off', '--attack', 'ring'], /--attack may be given only once/],
  [['--fast'], /Unknown option '--fast'/],
])('%j is refused', (args, problem) => {
  expect(() => read(args)).toThrow(ArgumentsError);
  expect(() => read(args)).toThrow(problem);
});

test('seeds are one number or a range, and all attacks are run unless one is named', () => {
  expect(read([])).toEqual({ attacks: allAttacks, seeds: [1] });
  expect(read(['--attack=on-off', '--seed', '4294967294-4294967295'])).toEqual({
    attacks: allAttacks.filter(({ name }) => name === 'on-off'),
    seeds: [4_294_967_294, 4_294_967_295],
  });
});
