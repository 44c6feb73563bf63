import { describe, expect, it } from 'vitest';
import { changeAt, markMs } from './moments.ts';

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
});

describe('the mark of a moment', () => {
  const newest = { changes, from: 5, total: 7 };
  const older = { changes, from: 5, total: 8 };
  it.each([
    ['now', undefined, newest, false],
    ['among the changes', '2026-01-01T12:00:00Z', older, true],
    ['before the first that is shown', '2025-12-31T00:00:00Z', newest, false],
    ['after the last change', '2027-01-01T00:00:00Z', newest, true],
    ['after the last that is shown of more', '2027-01-01T00:00:00Z', older, false],
    ['without any change', '2027-01-01T00:00:00Z', { changes: [], from: 0, total: 0 }, false],
  ])('%s', (_when, time, shown, isShown) => {
    expect(markMs(time, shown)).toBe(isShown && time !== undefined ? Date.parse(time) : undefined);
  });
});
