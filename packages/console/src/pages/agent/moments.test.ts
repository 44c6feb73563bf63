import { describe, expect, it } from 'vitest';
import { changeAt, momentMs } from './moments.ts';

const changes = [
  { position: '9', at: '2026-01-01T00:00:00Z' },
  { position: '100', at: '2026-01-02T00:00:00Z' },
];

describe('the change that holds at a moment', () => {
  it.each([
    ['8', -1],
    ['9', 0],
    ['99', 0],
    ['100', 1],
    ['2025-12-31T00:00:00Z', -1],
    ['2026-01-01T12:00:00+02:00', 0],
    ['2027-01-01T00:00:00Z', 1],
  ])('%s: %i', (asOf, index) => {
    expect(changeAt(asOf, changes)).toBe(index);
  });

  it('has a time, unless it is now or before the first', () => {
    expect(momentMs('99', changes)).toBe(Date.parse('2026-01-01T00:00:00Z'));
    expect(momentMs('2026-05-01T00:00:00Z', changes)).toBe(Date.parse('2026-05-01T00:00:00Z'));
    expect([momentMs(undefined, changes), momentMs('1', changes)]).toEqual([undefined, undefined]);
  });
});
