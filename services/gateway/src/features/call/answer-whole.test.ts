import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyJson } from './answer-whole.ts';

const bodyText = (bytes: Buffer, contentType: string | null): string => bodyJson(bytes, contentType).toString();
const read = (bytes: string | Buffer, contentType: string | null): unknown =>
  JSON.parse(bodyText(Buffer.from(bytes as string), contentType));

describe('bodyJson', () => {
  it.each([
    ['an object', '{"a":1}', 'application/json', { a: 1 }],
    ['an array', ' [1,2]\n', 'application/json; charset=utf-8', [1, 2]],
    ['a structured suffix', '{"a":1}', 'application/problem+json', { a: 1 }],
    ['a JSON string', '"hi"', 'application/json', 'hi'],
    ['a JSON number', '42', 'application/json', '42'],
    ['a JSON null', 'null', 'application/json', 'null'],
    ['broken JSON', '{"a":', 'application/json', '{"a":'],
    ['text', 'hello', 'text/plain', 'hello'],
    ['markup', '<a/>', 'application/atom+xml', '<a/>'],
    ['text without a type', 'hello', null, 'hello'],
    ['nothing', '', null, ''],
    ['nothing of a binary type', '', 'image/png', ''],
  ])('shows %s', (_what, bytes, contentType, expected) => {
    expect(read(bytes, contentType)).toEqual(expected);
  });

  it('shows bytes as base64', () => {
    expect(read(Buffer.from([0, 255, 1]), 'image/png')).toBe('AP8B');
    expect(read(Buffer.from([0, 255, 1]), null)).toBe('AP8B');
  });

  it('decodes the charset of a text and drops a byte order mark', () => {
    expect(read(Buffer.from([0x63, 0x61, 0x66, 0xe9]), 'text/plain; charset=iso-8859-1')).toBe('café');
    expect(read(Buffer.from([0x63, 0xe9]), 'text/plain; charset=no-such')).toBe('c\ufffd');
    expect(read('\ufeff{"a":1}', 'application/json')).toEqual({ a: 1 });
  });

  it('keeps JSON byte for byte: digits, repeated keys, any depth', () => {
    expect(bodyText(Buffer.from('{"n":12345678901234567890,"n":1.0}'), 'application/json')).toBe(
      '{"n":12345678901234567890,"n":1.0}',
    );
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    expect(bodyText(Buffer.from(deep), 'application/json')).toBe(deep);
  });

  it('is valid JSON for any input', () => {
    const types = fc.constantFrom(
      null,
      'application/json',
      'text/plain; charset=utf-16',
      'application/octet-stream',
      ';',
      'text/html;charset="',
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), types, (bytes, type) => {
        const body: unknown = JSON.parse(bodyText(Buffer.from(bytes), type));
        expect(typeof body === 'string' || (typeof body === 'object' && body !== null)).toBe(true);
      }),
      { numRuns: 1_000, seed: 20_260_101 },
    );
  });
});
