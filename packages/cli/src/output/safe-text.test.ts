/**
 * Bug: an agent's name or answer controls its reader's terminal.
 * Method: the sequences that do so, and every code point that a terminal or a reader may interpret.
 */
import { expect, it } from 'vitest';
import { safeJson, safeLine, safeLines } from './safe-text.ts';

it('shows escapes, controls and bidirectional marks by their code points', () => {
  expect(safeLine('\u001b]0;owned\u0007')).toBe('\\x1b]0;owned\\x07');
  expect(safeLine('\u009b2J a\rb\u0000\u007f')).toBe('\\x9b2J a\\x0db\\x00\\x7f');
  expect(safeLine('a\u202eb\u2066c\u200bd\u2028')).toBe('a\\u{202e}b\\u{2066}c\\u{200b}d\\u{2028}');
  expect(safeLine('one\ntwo')).toBe('one\\x0atwo');
  expect(safeLine('\u{e0041}\ud800')).toBe('\\u{e0041}\\u{d800}');
});

it('leaves letters of all scripts alone', () => {
  const text = 'Grüße, 東京, مرحبا, 👩‍🚀'.replace(/\u200d/gu, '');
  expect(safeLine(text)).toBe(text);
  expect(safeLines('a\n\tb\u001b')).toBe('a\n\tb\\x1b');
});

it('JSON stays the same document', () => {
  const value = { name: 'a\u009b\u202e\u007f\u{e0041}', list: ['x'] };
  const safe = safeJson(JSON.stringify(value, null, 2));
  expect(JSON.parse(safe)).toEqual(value);
  expect(safe).toContain('"a\\u009b\\u202e\\u007f\\udb40\\udc41"');
});

it('no control or direction character below U+E0080 passes', () => {
  const all = Array.from({ length: 0xa0 }, (_, code) => code);
  const isControl = (code: number): boolean => code < 0x20 || code >= 0x7f;
  const wanted = (code: number): string =>
    isControl(code) ? `\\x${code.toString(16).padStart(2, '0')}` : String.fromCodePoint(code);
  expect(all.map((code) => safeLine(String.fromCodePoint(code)))).toEqual(all.map(wanted));
});
