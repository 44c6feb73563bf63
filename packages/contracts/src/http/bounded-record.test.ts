import { expect, it } from 'vitest';
import { z } from 'zod';
import { anyJsonObject, boundedRecord } from './bounded-record.ts';

const map = boundedRecord(z.string(), z.boolean(), 2);

it.each([
  ['an empty map', {}, true],
  ['as many as allowed', { a: true, b: false }, true],
  ['one too many', { a: true, b: true, c: true }, false],
  ['a wrong value', { a: 1 }, false],
  ['an array', [], false],
  ['null', null, false],
  ['text', 'a', false],
])('judges %s', (_what, value, valid) => {
  expect(map.safeParse(value).success).toBe(valid);
});

it('counts the members first: a million of them cost one check, not a million', () => {
  const huge = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`k${index}`, 1]));
  expect(map.safeParse(huge).error?.issues).toHaveLength(1);
});

it('accepts any object and nothing else', () => {
  expect([{}, { a: [1] }].every((value) => anyJsonObject.safeParse(value).success)).toBe(true);
  expect([[], null, 1, 'x', undefined].some((value) => anyJsonObject.safeParse(value).success)).toBe(false);
});
