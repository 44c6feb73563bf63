import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { registryRoute } from './index.ts';

const messages = (schema: z.ZodType, value: unknown): string[] =>
  (schema.safeParse(value).error?.issues ?? []).map(({ message }) => message);

describe('the words of a fault', () => {
  const names = z.record(
    z.string().refine((name) => name.length < 3, { message: 'must be short' }),
    z.boolean(),
  );
  it.each<[string, z.ZodType, allowed: unknown, refused: unknown]>([
    ['is required', z.object({}), {}, undefined],
    ['is required', z.enum(['a', 'b']), 'a', undefined],
    ['is required', z.union([z.string(), z.number()]), 'a', undefined],
    ['is required', z.discriminatedUnion('a', [z.object({ a: z.literal('b') })]), { a: 'b' }, {}],
    ['must be at most 10', z.number().max(10), 10, 11],
    ['must be less than 10', z.number().lt(10), 9, 10],
    ['must be at least 1', z.int().min(1), 1, 0],
    ['must be more than 0', z.number().positive(), 0.1, 0],
    ['must have at most 1 item', z.array(z.string()).max(1), ['a'], ['a', 'b']],
    ['must have at least 2 characters', z.string().min(2), 'ab', 'a'],
    ['the name must be short', names, { ab: true }, { abc: true }],
    ['must be a whole number', z.int().max(10), 1, 1.5],
    [
      'has no member "c": it may have a, b',
      z.strictObject({ a: z.int(), b: z.int() }),
      { a: 1, b: 2 },
      { a: 1, b: 2, c: 3 },
    ],
    ['its own', z.string({ message: 'its own' }), 'a', undefined],
  ])('are: %s', (words, schema, allowed, refused) => {
    expect(messages(schema, allowed)).toEqual([]);
    expect(messages(schema, refused)).toEqual([words]);
  });

  it.each([
    ['0', []],
    ['999999999999999999999', ['is too large']],
    ['1000000000', ['must be at most 10000000']],
    ['1.5', ['must be an integer']],
  ])('are for the offset %s of a query %j', (offset, words) => {
    expect(messages(registryRoute.query as z.ZodType, { offset })).toEqual(words);
  });
});
