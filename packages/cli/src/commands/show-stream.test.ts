/** Bug: an event of an unusual shape that ends the program with an error. */
import { expect, it } from 'vitest';
import { wordsOf } from './show-stream.ts';

it('finds the text of A2A messages, updates and artifacts', () => {
  const parts = [
    { kind: 'text', text: 'two' },
    { kind: 'data', data: {} },
    { kind: 'text', text: 'words' },
  ];
  for (const result of [{ parts }, { artifact: { parts } }, { status: { message: { parts } } }])
    expect(wordsOf({ jsonrpc: '2.0', result })).toBe('two words');
});

it('finds none in anything else', () => {
  for (const result of [undefined, null, 1, 'parts', [], { parts: null }, { parts: [null, 1, 'x', { text: 7 }] }])
    for (const json of [result, { result }, { result: { status: result } }, { result: { artifact: result } }])
      expect(wordsOf(json)).toBeUndefined();
});
