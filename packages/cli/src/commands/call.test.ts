/** Bugs: a text by a third party names a local file, which is then sent to an agent; an event of an unusual shape crashes the program. */
import { expect, it } from 'vitest';
import { UsageError } from '../errors.ts';
import { messageOf, wordsOf } from './call.ts';

const io = { readStdin: async () => 'from a pipe' };
const partOf = async (input: { text?: string; data?: string }): Promise<unknown> => {
  const { params } = (await messageOf({ ...input, stream: false }, io)) as {
    params: { message: { parts: unknown[] } };
  };
  return params.message.parts[0];
};

it('sends a text unchanged, except that - means standard input', async () => {
  for (const text of [`@${import.meta.filename}`, '@all hello', '--', ' - '])
    expect(await partOf({ text })).toEqual({ kind: 'text', content_type: 'text/plain', content: text });
  expect(await partOf({ text: '-' })).toMatchObject({ content: 'from a pipe' });
});

it('takes JSON from a named file, and accepts nothing but JSON', async () => {
  expect(await partOf({ data: '{"a":1}' })).toEqual({
    kind: 'data',
    content_type: 'application/json',
    content: { a: 1 },
  });
  await expect(partOf({ data: `@${import.meta.filename}` })).rejects.toThrow(UsageError);
  await expect(partOf({ data: '[1]' })).rejects.toThrow(UsageError);
  await expect(partOf({ text: 'a', data: '{}' })).rejects.toThrow(UsageError);
  await expect(partOf({})).rejects.toThrow(UsageError);
});

it('finds the text of A2A messages, updates and artifacts', () => {
  const parts = [
    { kind: 'text', text: 'two' },
    { kind: 'data', data: {} },
    { kind: 'text', text: 'words' },
  ];
  for (const result of [{ parts }, { artifact: { parts } }, { status: { message: { parts } } }])
    expect(wordsOf({ jsonrpc: '2.0', result })).toBe('two words');
});

it('finds no text in anything else', () => {
  for (const result of [undefined, null, 1, 'parts', [], { parts: null }, { parts: [null, 1, 'x', { text: 7 }] }])
    for (const json of [result, { result }, { result: { status: result } }, { result: { artifact: result } }])
      expect(wordsOf(json)).toBeUndefined();
});
