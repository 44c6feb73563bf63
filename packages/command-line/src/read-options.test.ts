import { describe, expect, test } from 'vitest';
import { ArgumentsError, readOptions } from './read-options.ts';

const options = {
  policy: { type: 'string' },
  file: { type: 'string', multiple: true },
  json: { type: 'boolean' },
} as const;

describe('the options of a command', () => {
  test('are read in either writing, with or without the separator of pnpm', () => {
    expect(readOptions(['--policy', 'a.json'], options)).toEqual({ policy: 'a.json' });
    expect(readOptions(['--', '--policy=a=b', '--json'], options)).toEqual({ policy: 'a=b', json: true });
    expect(readOptions(['--file', 'a', '--file=b'], options)).toEqual({ file: ['a', 'b'] });
    expect(readOptions([], options)).toEqual({});
  });

  test.each([
    [['--policy', 'a', '--policy', 'b'], '--policy may be given only once.'],
    [['--policy=a', '--policy=a'], '--policy may be given only once.'],
    [['--json', '--json'], '--json may be given only once.'],
    [['--policy='], '--policy needs a value.'],
    [['--policy', ''], '--policy needs a value.'],
    [['--policy'], /--policy <value>' argument missing/],
    [['--policy', '--json'], /--policy/],
    [['--json=yes'], /--json/],
    [['--fast'], /Unknown option '--fast'/],
    [['v1'], /Unexpected argument 'v1'/],
  ])('%j is refused', (given, problem) => {
    expect(() => readOptions(given, options)).toThrow(ArgumentsError);
    expect(() => readOptions(given, options)).toThrow(problem);
  });
});
