import { describe, expect, it } from 'vitest';
import { createShownAgents } from './shown-agents.ts';

const version = (changedPosition: string, build = 'b1') => ({ build, changedPosition });

describe('kept texts of agents', () => {
  it('are used for exactly the version that they describe', () => {
    const shown = createShownAgents();
    shown.keep('a', version('5'), 'five');
    expect(shown.find('a', version('5'))).toBe('five');
    for (const other of [version('4'), version('6'), version('5', 'b2')])
      expect(shown.find('a', other)).toBeUndefined();
    expect(shown.find('b', version('5'))).toBeUndefined();
    shown.keep('a', version('6'), 'six');
    expect([shown.find('a', version('5')), shown.find('a', version('6'))]).toEqual([undefined, 'six']);
  });

  it('are evicted beyond the limit, the least recently shown first', () => {
    const shown = createShownAgents(10);
    const found = (...ids: string[]) => ids.map((id) => shown.find(id, version('1')));
    for (const id of ['a', 'b']) shown.keep(id, version('1'), id.repeat(4));
    expect(found('a')).toEqual(['aaaa']);
    shown.keep('c', version('1'), 'cccc');
    expect(found('a', 'b', 'c')).toEqual(['aaaa', undefined, 'cccc']);
    // Counted once, however often it is replaced; one that is too long is not kept, and evicts no other.
    for (let time = 0; time < 9; time += 1) shown.keep('a', version('1'), 'aaaaaa');
    expect(found('a', 'c')).toEqual(['aaaaaa', 'cccc']);
    shown.keep('d', version('1'), 'd'.repeat(11));
    expect(found('a', 'c', 'd')).toEqual(['aaaaaa', 'cccc', undefined]);
  });
});
