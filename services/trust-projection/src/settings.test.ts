import { describe, expect, it } from 'vitest';
import { days } from './settings.ts';

describe('a number of days', () => {
  const setting = days(1, 36_500);

  it.each([
    ['1d', 1],
    ['90d', 90],
    ['36500d', 36_500],
  ])('%s is so many', (text, count) => expect(setting.parse(text)).toBe(count * 86_400_000));

  it.each(['90', '0d', '36501d', '12h', '1.5d', '-1d', '90D', '1000000d'])('is not %s', (text) => {
    expect(setting.safeParse(text)).toMatchObject({
      success: false,
      error: { issues: [{ message: expect.stringContaining('a number of days from 1 to 36500') as string }] },
    });
  });
});
