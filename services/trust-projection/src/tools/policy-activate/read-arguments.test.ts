import { describe, expect, it } from 'vitest';
import { readActivateArguments } from './read-arguments.ts';

describe('the arguments of policy:activate', () => {
  it('are one policy', () => {
    const asked = { kind: 'activate', policy: 'a.json' };
    expect(readActivateArguments(['--policy', 'a.json'])).toEqual(asked);
    expect(readActivateArguments(['--', '--policy=a.json'])).toEqual(asked);
    expect(readActivateArguments(['--policy', 'a.json', '-h'])).toEqual({ kind: 'help' });
  });

  it.each([
    [[], '--policy is missing'],
    [['--policy'], '--policy needs a value'],
    [['--policy='], '--policy needs a value'],
    [['--policy', 'v1', '--policy', 'strict-2026'], '--policy may be given only once'],
    [['--policy=v1', '--policy=v1'], '--policy may be given only once'],
    [['--policy', 'v1', '--json'], 'Unknown argument --json'],
    [['v1'], 'Unknown argument v1'],
  ])('%j is refused', (given, problem) => expect(readActivateArguments(given)).toEqual({ kind: 'wrong', problem }));
});
