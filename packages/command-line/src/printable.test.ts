import { expect, test } from 'vitest';
import { printable } from './printable.ts';

test('what a terminal acts upon is shown by its code point, and everything else stays', () => {
  expect(printable('größer 名 🦉')).toBe('größer 名 🦉');
  expect(printable('\u001b[2Kverified\n\u202e\u200b\u2028\ud800')).toBe(
    '\\u{1b}[2Kverified\\u{a}\\u{202e}\\u{200b}\\u{2028}\\u{d800}',
  );
});
