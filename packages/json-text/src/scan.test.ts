import { runs } from '@agent-trust/test-kit/runs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJson } from './scan.ts';

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
const tries = { numRuns: runs(1_000, 3_000), seed: 20_260_101 };

describe('isJson agrees with JSON.parse', () => {
  it.each([
    '',
    ' ',
    '{',
    '}',
    '[',
    ']',
    '[]',
    '{}',
    ' [ ] ',
    '{ }',
    '[,]',
    '[1,]',
    '[,1]',
    '{,}',
    '{"a":1,}',
    '{"a"}',
    '{"a":}',
    '{"a" : 1 }',
    '{a:1}',
    "{'a':1}",
    '{"a":1 "b":2}',
    '[1 2]',
    '[[]',
    '[]]',
    '[}',
    '{]',
    '{"a":[}',
    '[{"a":1},[2,{}],{}]',
    '{"a":{"a":{"a":[]}}}',
    '1',
    '-1',
    '0',
    '-0',
    '01',
    '+1',
    '1.',
    '.1',
    '1.5e3',
    '1e',
    '1e+',
    '1E-7',
    '--1',
    'NaN',
    'Infinity',
    '0x1',
    '1_000',
    'true',
    'false',
    'null',
    'True',
    'nul',
    'truefalse',
    'true false',
    'undefined',
    '//',
    '1//',
    '/**/1',
    '"',
    '""',
    '"a',
    '"\\',
    '"\\"',
    '"\\""',
    '"\\x"',
    '"\\u12"',
    '"\\u12zz"',
    '"\\u00e9\\n"',
    '"\n"',
    '"\t"',
    '"\u007f"',
    '"\u2028"',
    '"\ud800"',
    '\ufeff1',
    '\u00a01',
    '1\u00a0',
    '\v1',
    '1\0',
    '[1]\0',
    '"a"b',
    '{"a":1}}',
    '{"__proto__":1,"__proto__":2}',
  ])('on %j', (text) => expect(isJson(Buffer.from(text))).toBe(parses(text)));

  it('on any JSON, in any notation', () => {
    fc.assert(
      fc.property(fc.json({ depthSize: 'large' }), fc.constantFrom(undefined, 1, '\t', '\n\r '), (text, space) => {
        expect(isJson(Buffer.from(JSON.stringify(JSON.parse(text), null, space)))).toBe(true);
      }),
      tries,
    );
  });

  it('on JSON with one fault', () => {
    const character = fc.constantFrom(...'{}[],:"\\0123456789-+.eEtrufalsn \n/x'.split(''));
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.nat(2), character, (text, place, removed, added) => {
        const at = place % (text.length + 1);
        const faulty = text.slice(0, at) + added + text.slice(at + removed);
        expect(isJson(Buffer.from(faulty))).toBe(parses(faulty));
      }),
      tries,
    );
  });

  it("on random strings of JSON's own characters", () => {
    const texts = fc.string({
      unit: fc.constantFrom(...'{}[],:"\\01-.e tn'.split(''), 'true', 'null', '"a":'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(texts, (text) => {
        expect(isJson(Buffer.from(text))).toBe(parses(text));
      }),
      { ...tries, numRuns: runs(6_000, 20_000) },
    );
  });
});

describe('JSON made to use much memory uses little', () => {
  const size = runs(4, 10) * 1024 * 1024;
  it.each([
    ['brackets', '['.repeat(size), false],
    ['nested arrays', '['.repeat(size / 2) + ']'.repeat(size / 2), true],
    ['nested objects', `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`, true],
    ['empty arrays', `[${'[],'.repeat(size / 3)}0]`, true],
    ['a long string', `"${'\\n'.repeat(size / 2)}"`, true],
    ['digits', '1'.repeat(size), true],
  ])('%s', (_what, text, expected) => {
    const json = Buffer.from(text);
    const before = process.memoryUsage().rss;
    expect(isJson(json)).toBe(expected);
    expect(process.memoryUsage().rss - before).toBeLessThan(6.4 * size);
  });
});
