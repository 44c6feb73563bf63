import { describe, expect, it } from 'vitest';
import { UsageError } from '../errors.ts';
import { expiryOf, secondsOf } from './lifetime.ts';

describe('a span of time', () => {
  it.each([
    ['0', 0],
    ['90s', 90],
    ['15m', 900],
    ['24h', 86_400],
    ['7d', 604_800],
  ])('%s is %i seconds', (span, seconds) => {
    expect(secondsOf('--overlap', span)).toBe(seconds);
  });

  it.each(['', '5', '-1h', '1.5h', '1w', 'soon', '12345678s'])('%j is refused', (span) => {
    expect(() => secondsOf('--overlap', span)).toThrow(UsageError);
  });
});

describe('an expiry', () => {
  it('is days from now, or a moment', () => {
    const days = Date.parse(expiryOf('30d')) - Date.now();
    expect(Math.abs(days - 30 * 86_400_000)).toBeLessThan(5_000);
    expect(expiryOf('2027-01-01T00:00:00Z')).toBe('2027-01-01T00:00:00.000Z');
    expect(() => expiryOf('later')).toThrow(UsageError);
  });
});
