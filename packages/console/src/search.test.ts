import { describe, expect, it } from 'vitest';
import { oneOf, parseSearch, textOf, writeSearch } from './search.ts';

describe('a query in an address', () => {
  it('is texts by name, and comes back as it was written', () => {
    const search = { as_of: '12', tab: 'reviews', q: 'a b&c' };
    expect(parseSearch(writeSearch(search))).toEqual(search);
  });

  it('leaves out what has no value', () => {
    expect(writeSearch({ tab: undefined, q: '', at: null })).toBe('');
  });

  it('is read by words and texts that pages expect', () => {
    expect([oneOf('b', ['a', 'b']), oneOf('x', ['a', 'b'])]).toEqual(['b', 'a']);
    expect([textOf('x'), textOf(''), textOf(3)]).toEqual(['x', undefined, undefined]);
  });
});
