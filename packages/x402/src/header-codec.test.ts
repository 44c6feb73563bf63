import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeHeader, encodeHeader } from './header-codec.ts';
import { x402Limits } from './limits.ts';

it('decodes what it has encoded', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // JSON has no -0.
      const held: unknown = JSON.parse(JSON.stringify(value));
      expect(decodeHeader(encodeHeader(held))).toEqual(held);
    }),
  );
});

it('decodes the URL alphabet and headers without padding', () => {
  const value = { text: '>>>???ÿ' };
  const standard = encodeHeader(value);
  expect(decodeHeader(standard.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/u, ''))).toEqual(value);
});

it.each([
  ['nothing', ''],
  ['plain JSON', '{"success":true}'],
  ['base64 of no JSON', Buffer.from('no json').toString('base64')],
  ['base64 of no UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('base64')],
  ['two headers joined', `${encodeHeader(1)}, ${encodeHeader(2)}`],
  ['more than the limit', 'A'.repeat(x402Limits.headerCharsMax + 4)],
])('does not decode %s', (_what, header) => {
  expect(decodeHeader(header)).toBeUndefined();
});
