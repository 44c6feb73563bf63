import { describe, expect, it } from 'vitest';
import { isEnglish, sensesOf } from './english.ts';
import { stemOf } from './words.ts';

describe('general English', () => {
  it.each(['jump', 'grapes', 'carving', 'pulled', 'stories', 'boxes'])('has %s', (word) => {
    expect(isEnglish(word)).toBe(true);
  });

  it.each(['kubernetes', 'invoce', 'calender', 'Zürich', '', '#', '2'])('does not have %j', (word) => {
    expect(isEnglish(word)).toBe(false);
  });

  it('gives everyday words more senses than words of a trade', () => {
    expect(sensesOf(stemOf('break'))).toBeGreaterThan(50);
    expect(sensesOf(stemOf('pharmacist'))).toBe(1);
    expect(sensesOf(stemOf('kubernetes'))).toBe(1);
  });
});
