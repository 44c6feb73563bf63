import { describe, expect, it } from 'vitest';
import { agoText, durationText, timeText } from './time.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

describe('how long ago', () => {
  it.each([
    ['2026-03-01T12:00:00Z', 'now'],
    ['2026-03-01T11:59:30Z', '30 seconds ago'],
    ['2026-03-01T11:57:00Z', '3 minutes ago'],
    ['2026-03-01T10:01:00Z', '1 hour ago'],
    ['2026-02-27T12:00:00Z', '2 days ago'],
    ['2025-12-01T12:00:00Z', '3 months ago'],
    ['2026-03-01T12:05:00Z', 'in 5 minutes'],
    ['no time', 'no time'],
  ])('%s is %s', (time, text) => {
    expect(agoText(time, now)).toBe(text);
  });
});

it.each([
  [7.4, '7 ms'],
  [1_540, '1.5 s'],
  [180_000, '3 min'],
  [5_400_000, '1.5 h'],
])('%d ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

it('shows what is no time as it is', () => {
  expect(timeText('soon')).toBe('soon');
});
