/** Bug: a text by others that names a file of this machine, which is then sent to an agent. */
import { expect, it } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { messageOf } from './message.ts';

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
