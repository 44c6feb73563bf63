import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getPublicKeyAsync, Point } from '@noble/ed25519';
import { somePublicKey } from '../testing/index.ts';
import { ensureSoundPublicKey } from './register.ts';

const encode = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url');

/** All eight points of small order, and their encodings that RFC 8032 calls non-canonical. */
const smallOrder = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '0100000000000000000000000000000000000000000000000000000000000080',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];

describe('a public key', () => {
  it('is accepted if it is valid', () => {
    expect(() => ensureSoundPublicKey(somePublicKey)).not.toThrow();
  });

  it('of any secret is valid', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (secret) => {
        const text = Buffer.from(await getPublicKeyAsync(secret)).toString('base64url');
        expect(() => ensureSoundPublicKey(text)).not.toThrow();
      }),
      { numRuns: 20 },
    );
  });

  it.each(smallOrder)('of small order is refused (%s)', (hex) => {
    expect(() => ensureSoundPublicKey(encode(hex))).toThrow(/small order|not a point/);
  });

  it('with an unreduced y coordinate is refused', () => {
    // y = p + 3; 3 is the y of a point, so only the encoding is invalid.
    const unreduced = 'f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f';
    expect(() => Point.fromHex(unreduced, true)).not.toThrow();
    expect(() => ensureSoundPublicKey(encode(unreduced))).toThrow(/not a point/);
  });

  it('off the curve is refused', () => {
    expect(() => ensureSoundPublicKey(encode(`02${'00'.repeat(31)}`))).toThrow(/not a point/);
  });

  it('whose last character has unused bits is refused: four texts would name one key', () => {
    const last = somePublicKey.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const twin = alphabet[alphabet.indexOf(last) + 1];
    expect(() => ensureSoundPublicKey(`${somePublicKey.slice(0, -1)}${twin}`)).toThrow(/canonical/);
  });

  it.each([
    ['', 'empty'],
    [`${somePublicKey}=`, 'padded'],
    [somePublicKey.slice(1), 'short'],
    [`${somePublicKey}A`, 'long'],
    [`${somePublicKey}\n`, 'with a line end'],
    [somePublicKey.replace('_', '/'), 'plain base64'],
  ])('%j is refused (%s)', (text) => {
    expect(() => ensureSoundPublicKey(text)).toThrow(/43 characters/);
  });
});
