/** Bugs meant: memory that strangers fill without end, what is forgotten before others that were told earlier, what is told for ever. */
import { describe, expect, it } from 'vitest';
import { createRemembered } from './remembered.ts';

describe('what is remembered', () => {
  it('is bounded: of too many the one told longest ago goes, and telling again counts', () => {
    const remembered = createRemembered<number>(3, 100, () => 0);
    for (const name of ['a', 'b', 'c']) remembered.set(name, 1);
    remembered.set('a', 2);
    remembered.set('d', 1);
    expect(['a', 'b', 'c', 'd'].map((name) => remembered.get(name))).toEqual([2, undefined, 1, 1]);
    for (let index = 0; index < 1_000; index += 1) remembered.set(`n${index}`, index);
    expect(['a', 'c', 'd', 'n996', 'n997'].map((name) => remembered.get(name))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      997,
    ]);
  });

  it('is so for its time and not longer, and reading does not lengthen it', () => {
    let now = 0;
    const remembered = createRemembered<string>(3, 100, () => now);
    remembered.set('a', 'x');
    now = 99;
    expect(remembered.get('a')).toBe('x');
    now = 100;
    expect(remembered.get('a')).toBeUndefined();
    remembered.set('a', 'y');
    now = 150;
    remembered.set('a', 'z');
    now = 249;
    expect(remembered.get('a')).toBe('z');
    remembered.forget('a');
    expect(remembered.get('a')).toBeUndefined();
  });
});
