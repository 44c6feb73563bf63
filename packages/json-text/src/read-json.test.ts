// Bug: a reader that disagrees with JSON.parse lets a caller show the registry one message and the agent another. Method: random JSON in many
// notations (spaces, escapes in keys, repeated members, numbers that JSON.parse changes). The parsed values must equal those of JSON.parse, and
// the parts kept as text must equal the original text.
import { runs } from '@agent-trust/test-kit/runs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asText, type JsonShape, jsonTextOf, readJson, writeJson } from './read-json.ts';
import { JsonBoundsError } from './scan.ts';

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
/** The name with some of its characters escaped. */
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

const members = (...names: string[]): JsonShape => ({ members: Object.fromEntries(names.map((name) => [name, {}])) });
const read = (json: string, shape: JsonShape): unknown => readJson(Buffer.from(json), shape);
const shape = fc.letrec<{ shape: JsonShape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3 },
    fc.constant({}),
    fc.record({ items: tie('shape') }),
    fc.record({ members: fc.record({ message: tie('shape'), '': tie('shape') }), others: fc.constant(true) }),
  ),
})).shape;

describe('readJson', () => {
  it('reads the same members as JSON.parse, and keeps objects and arrays as their original text', () => {
    fc.assert(
      fc.property(space, fc.array(member, { maxLength: 6 }), space, (before, written, after) => {
        const json = `${before}{${before}${written.map(([key, a, b, text, c]) => `${key}${a}:${b}${text}${c}`).join(`,${after}`)}}${after}`;
        const parsed = JSON.parse(json) as Record<string, unknown>;
        const found = read(json, members('message', 'messag', 'x')) as Record<string, unknown>;
        expect(Object.keys(found).toSorted()).toEqual(['messag', 'message', 'x'].filter((name) => name in parsed));
        for (const [name, value] of Object.entries(found)) {
          const text = written.findLast(([key]) => JSON.parse(key) === name)?.[3] ?? '';
          const isText = typeof parsed[name] === 'object' && parsed[name] !== null;
          expect(isText ? jsonTextOf(value)?.toString() : value).toEqual(isText ? text.trim() : parsed[name]);
        }
      }),
      { numRuns: runs(800, 3_000), seed: 20_260_101 },
    );
  });

  it('writes the original text again, for any value', () => {
    fc.assert(
      fc.property(value, shape, (json, how) => {
        const again = writeJson(read(json, how)).toString();
        expect(JSON.stringify(JSON.parse(again))).toBe(JSON.stringify(JSON.parse(json)));
      }),
      { numRuns: runs(800, 3_000), seed: 20_260_101 },
    );
  });

  it('gives a view of the same bytes, including digits and repeated members', () => {
    const json = Buffer.from('{"message": {"n": 12345678901234567890, "n": 1.0} }');
    const { message } = readJson(json, members('message')) as { message: object };
    expect(message).toEqual({});
    expect(jsonTextOf(message)?.toString()).toBe('{"n": 12345678901234567890, "n": 1.0}');
    expect(jsonTextOf(message)?.buffer).toBe(json.buffer);
    expect(writeJson({ a: [message, undefined, 'ä'], b: undefined }).toString()).toBe(
      '{"a":[{"n": 12345678901234567890, "n": 1.0},"ä"]}',
    );
  });

  it.each(['{"a":1', '{"a":1}}', '{"a":[1,]}', '{"b":[}', '{a:1}', '{"a":1,}', '[', '', '{"a" 1}', '\ufeff{}'])(
    'returns nothing for %j, which is not JSON',
    (json) => {
      for (const how of [{}, members('a'), { ...members('a'), others: true, items: {} }]) {
        expect(read(json, how)).toBeUndefined();
      }
    },
  );

  it.each([
    ['[{"message":1}]', []],
    ['"message"', 'message'],
    ['1.5', 1.5],
    ['null', null],
    [' [] ', []],
    ['{"x":{"message":1}}', {}],
    ['{"__proto__":{"message":1}}', {}],
  ])('finds no member in %s', (json, expected) => expect(read(json, members('message'))).toEqual(expected));

  it('takes time in proportion to the text', () => {
    const json = `{"x":"${'\\\\'.repeat(2_000_000)}","message":{},"y":${'['.repeat(500_000)}${']'.repeat(500_000)}}`;
    // Of this thread alone: other test files run in other threads.
    const startedAt = process.threadCpuUsage();
    expect(jsonTextOf((read(json, members('message')) as { message: object }).message)?.toString()).toBe('{}');
    expect(process.threadCpuUsage(startedAt).user).toBeLessThan(1_000_000);
  });

  it('creates no values from the parts kept as text', () => {
    const json = Buffer.from(`{"message":[${'[],'.repeat(3 * 1024 * 1024)}0],${'"a":[],'.repeat(100_000)}"b":0}`);
    const before = process.memoryUsage().rss;
    expect(readJson(json, members('message', 'b'))).toEqual({ message: [], b: 0 });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });
});

describe('limits of a text', () => {
  const all: JsonShape = { members: { a: { items: {} } }, others: true };
  const refusal = (json: string, bounds: object): unknown => {
    try {
      return readJson(Buffer.from(json), all, bounds);
    } catch (error) {
      return error instanceof JsonBoundsError ? error.path : error;
    }
  };

  it.each([
    ['members', '{"a":[1,2],"b":{"c":[3]}}', { membersMax: 6 }, { a: [1, 2], b: {} }],
    ['members', '{"a":[1,2],"b":{"c":[3,4]}}', { membersMax: 6 }, []],
    ['members', '[{},{},{}]', { membersMax: 2 }, []],
    ['members', '{"a\\u0062":[{"d":[]},{"c":{"x":[0,[1],{},3]}}]}', { membersMax: 10 }, ['ab', 1, 'c']],
    ['members, most of which are in many small values', '{"a":[{"b":1},{"b":1},{"b":1}]}', { membersMax: 6 }, ['a']],
    ['levels', '{"a":[[]],"b":{}}', { nestingMax: 2 }, { a: [[]], b: {} }],
    ['levels', '{"a":[[0]],"b":{}}', { nestingMax: 2 }, ['a', 0]],
    ['levels', '{"x":{"a":[0,{"b":[{"c":1}]}]}}', { nestingMax: 5 }, ['x', 'a', 1, 'b', 0]],
    ['values', '{"a":[1,2],"b":{"c":[3,4]}}', { valuesMax: 4 }, { a: [1, 2], b: {} }],
    ['values', '{"a":[1,2],"b":0,"c":0}', { valuesMax: 4 }, []],
    ['values', '{"a":[1,2,3,4]}', { valuesMax: 4 }, ['a']],
    ['values, of which a repeated one is one', '{"b":0,"b":0,"b":0}', { valuesMax: 1 }, { b: 0 }],
  ])('%s: %s', (_what, json, bounds, expected) => expect(refusal(json, bounds)).toEqual(expected));
});

it('tells the beginning of a long path, and of long names', () => {
  const json = Buffer.from(`${'[0,{"'.repeat(40)}${'n'.repeat(1_000)}":[[]]`);
  const deep = `{"${'n'.repeat(1_000)}":${'[0,'.repeat(300)}[0]${']'.repeat(300)}}`;
  expect(readJson(json, {})).toBeUndefined();
  const refused = (() => {
    try {
      return readJson(Buffer.from(deep), {}, { nestingMax: 256 });
    } catch (error) {
      return error;
    }
  })();
  expect(refused).toMatchObject({
    message: 'must be nested at most 256 levels deep',
    path: ['n'.repeat(128), ...Array.from({ length: 15 }, () => 1)],
  });
});

it('accepts text in place of a value', () => {
  expect(writeJson({ a: asText(Buffer.from('[1.0]')) }).toString()).toBe('{"a":[1.0]}');
  expect(asText(Buffer.from('[1.0]'))).toEqual([]);
  expect(asText(Buffer.from('{"a":1}'))).toEqual({});
});
