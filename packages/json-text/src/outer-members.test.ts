// The scanner finds members without parsing, so any disagreement with JSON.parse would let a caller show the registry one message and the
// agent another. Method: random JSON objects, written in many ways (spaces, escapes in keys, repeated members, numbers that JSON.parse
// changes), and the scanner's bytes must parse to what JSON.parse gives and be the exact text that was written.
import { runs } from '@agent-trust/test-kit/runs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberBytes, outside } from './outer-members.ts';

const space = fc.constantFrom('', ' ', '\n', '\t', '\r\n ');
const number = fc.constantFrom(
  '0',
  '-0',
  '1.0',
  '1e5',
  '9007199254740993',
  '123456789012345678901234567890',
  '-1.5E-7',
);
const plainText = fc.string({ unit: 'binary', maxLength: 12 }).filter((value) => value.isWellFormed());
const tricky = fc.constantFrom('"message":', '\\', '\\"', '}', ']', ',"message":1', '{', '\u2028', '𝒳', '');
const literal = fc.oneof(plainText, tricky).map((value) => JSON.stringify(value));
/** The name with some of its characters written as escapes. */
const keyOf = (name: string): fc.Arbitrary<string> =>
  fc.array(fc.boolean(), { minLength: name.length, maxLength: name.length }).map(
    (escaped) =>
      `"${name
        .split('')
        .map((character, index) =>
          escaped[index] === true ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character,
        )
        .join('')}"`,
  );
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(number, literal, fc.constantFrom('true', 'false', 'null')),
    fc
      .tuple(space, fc.array(fc.tuple(tie('value'), space), { maxLength: 4 }))
      .map(([before, items]) => `[${before}${items.map(([item, after]) => item + after).join(',')}]`),
    fc
      .array(fc.tuple(fc.oneof(literal, keyOf('message')), space, tie('value')), { maxLength: 4 })
      .map((members) => `{${members.map(([key, gap, item]) => `${key}${gap}:${gap}${item}`).join(',')}}`),
  ),
}));
const member = fc.tuple(fc.oneof(keyOf('message'), keyOf('messag'), literal), space, space, value, space);

describe('memberBytes', () => {
  it('finds exactly the bytes that JSON.parse took for the member', () => {
    fc.assert(
      fc.property(space, fc.array(member, { maxLength: 6 }), space, (before, members, after) => {
        const json = `${before}{${before}${members.map(([key, a, b, text, c]) => `${key}${a}:${b}${text}${c}`).join(`,${after}`)}}${after}`;
        const parsed = JSON.parse(json) as Record<string, unknown>;
        const names = ['message', 'messag', 'x'];
        const found = memberBytes(Buffer.from(json), names);
        for (const name of names) {
          const bytes = found.get(name);
          expect(bytes?.toString('utf8')).toBe(members.findLast(([key]) => JSON.parse(key) === name)?.[3]);
          expect(bytes === undefined ? undefined : JSON.parse(bytes.toString('utf8'))).toEqual(parsed[name]);
        }
      }),
      { numRuns: runs(800, 3_000), seed: 20_260_101 },
    );
  });

  it('gives back a view of the same bytes', () => {
    const json = Buffer.from('{"message": {"n": 12345678901234567890, "x": 1.0} }');
    const found = memberBytes(json, ['message']).get('message');
    expect(found?.toString()).toBe('{"n": 12345678901234567890, "x": 1.0}');
    expect(found?.buffer).toBe(json.buffer);
  });

  it('takes time in proportion to the text', () => {
    const json = Buffer.from(
      `{"x":"${'\\\\'.repeat(2_000_000)}","message":{},"y":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
    );
    const startedAt = performance.now();
    expect(memberBytes(json, ['message']).get('message')?.toString()).toBe('{}');
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it.each(['[{"message":1}]', '"message"', '1', 'null', ' [] '])('finds nothing in %s', (json) => {
    expect(memberBytes(Buffer.from(json), ['message']).size).toBe(0);
  });

  it('makes nothing of what it finds', () => {
    const json = Buffer.from(`{"message":[${'[],'.repeat(3 * 1024 * 1024)}0],${'"a":[],'.repeat(100_000)}"b":0}`);
    const before = process.memoryUsage().rss;
    expect(memberBytes(json, ['message', 'b']).size).toBe(2);
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * 1024 * 1024);
  });
});

describe('outside', () => {
  it.each([
    ['{"a":{"b":1}}', {}],
    [' [1,[2]]', []],
    ['"{"', '{'],
    [' 1.5 ', 1.5],
    ['null', null],
    ['true', true],
  ])('of %s', (json, expected) => expect(outside(Buffer.from(json))).toEqual(expected));
});
