import { describe, expect, it } from 'vitest';
import { agentId } from './text.ts';

const faultsOf = (value: string): string[] =>
  agentId.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

// Bug: two ids look alike, or a client's URL library removes an id from a path.
describe('an agent_id', () => {
  it.each([
    'a',
    '...',
    '.a',
    'a..b',
    'אב',
    'é'.normalize('NFD'),
    '😀'.repeat(128),
    '❤\ufe0f',
    '\u0600',
    'a b',
    '\u{10FFFF}',
  ])('can be %j', (value) => expect(faultsOf(value)).toEqual([]));

  it.each(['.', '..'])('cannot be %j', (value) => expect(faultsOf(value)).toEqual(['must not be . or ..']));

  it.each([
    ['a control', '\u0085'],
    ['a line separator', '\u2028'],
    ['a zero-width space', '\u200b'],
    ['a zero-width joiner', '\u200d'],
    ['a word joiner', '\u2060'],
    ['a byte order mark', '\ufeff'],
    ['a soft hyphen', '\u00ad'],
    ['a blank letter', '\u3164'],
    ['a tag', '\u{e0061}'],
    ['a right-to-left mark', '\u200f'],
    ['an Arabic letter mark', '\u061c'],
    ['a bidirectional override', '\u202e'],
    ['a bidirectional isolate', '\u2066'],
  ])('cannot have %s', (_what, character) => {
    const fault = 'must not contain control characters, or zero-width or bidirectional ones';
    for (const value of [character, `a${character}`, `${character}b`]) expect(faultsOf(value)).toEqual([fault]);
  });
});
