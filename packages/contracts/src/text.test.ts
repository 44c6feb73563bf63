import { describe, expect, it } from 'vitest';
import { newOrgName, orgName } from './agent/fields.ts';
import { agentId, statement } from './text.ts';

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

// Bug: the name of a new organisation looks like another's, or an organisation that has such a name is found no more.
describe('the name of an organisation', () => {
  const namable = (value: string): [ofNew: boolean, ofExisting: boolean] => [
    newOrgName.safeParse(value).success,
    orgName.safeParse(value).success,
  ];

  it.each(['a', 'Globex & Sons, Inc.', '株式会社', '❤\ufe0f', '😀'.repeat(256)])('can be %j', (value) =>
    expect(namable(value)).toEqual([true, true]),
  );

  it.each([
    '\u001b',
    '\n',
    '\u0085',
    '\u2028',
    '\u200b',
    '\u200d',
    '\ufeff',
    '\u00ad',
    '\u3164',
    '\u200f',
    '\u202e',
    '\u2066',
  ])('can no longer have %j', (character) => expect(namable(`Glo${character}bex`)).toEqual([false, true]));

  it.each(['', ' ', '\u0000', 'x'.repeat(257)])('cannot be %j', (value) =>
    expect(namable(value)).toEqual([false, false]),
  );
});

// Bug: what an owner says to people hides something that a language model reads, or turns the text around it.
describe('a statement', () => {
  const faults = (value: string): number => statement(10).safeParse(value).error?.issues.length ?? 0;

  it.each(['a', 'a b', '😀'.repeat(10), '👩‍🔧', '❤\ufe0f', 'می‌خواهم', '—'])('can be %j', (value) =>
    expect(faults(value)).toBe(0),
  );

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(11)],
    ['blank', ' \u00a0'],
    ['joiners alone', '\u200d\ufe0f'],
    ['of two lines', 'a\nb'],
    ['of two paragraphs', 'a\u2029b'],
    ['with a control', 'a\u0007'],
    ['with a bidirectional override', 'a\u202e'],
    ['with a right-to-left mark', 'a\u200f'],
    ['with a zero-width space', 'a\u200b'],
    ['with a tag', 'a\u{e0061}'],
    ['with a rare variation selector', 'a\u{e0101}'],
    ['with a lone surrogate', 'a\ud800'],
  ])('cannot be %s', (_what, value) => expect(faults(value)).toBeGreaterThan(0));
});
