import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTime } from './copy-text.ts';

describe('the text of a time', () => {
  it('equals toISOString, whatever time preceded it', () => {
    const time = fc.oneof(
      fc.date({ noInvalidDate: true }),
      fc.integer({ min: -100_000_000, max: 100_000_000 }).map((ms) => new Date(ms)),
      fc.constantFrom(-1, 0, 86_399_999, 86_400_000, 8.64e15, -8.64e15).map((ms) => new Date(ms)),
    );
    fc.assert(
      fc.property(fc.array(time, { minLength: 1 }), (times) => {
        expect(times.map(isoTime)).toEqual(times.map((each) => each.toISOString()));
      }),
    );
  });

  it('is empty for an invalid date, and later ones are right', () => {
    expect(() => isoTime(new Date(Number.NaN))).toThrow(RangeError);
    expect(isoTime(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
  });
});
