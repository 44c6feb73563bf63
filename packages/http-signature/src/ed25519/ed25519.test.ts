// Bug: a lax verifier accepts several forms of one signature: S plus the order of the group, non-canonical encodings, points of small order.
// Then a nonce or a digest of a signature no longer identifies one request, and a signer can deny what was signed. Method: the published
// vectors in both directions, then each manipulation applied to a valid signature.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { getPublicKeyAsync, Point, verifyAsync } from '@noble/ed25519';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { publicKeyFault, signatureFault, signEd25519, strictSignatureFault } from './ed25519.ts';

// Checking hundreds of signatures takes long on a busy processor.
vi.setConfig({ testTimeout: 60_000 });

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
const littleEndian = (value: bigint): Buffer => hex(value.toString(16).padStart(64, '0')).reverse();
const fromLittleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);

/** RFC 8032 §7.1: secret key, public key, message, signature. */
const published: [string, string, string, string][] = [
  [
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
];

describe('RFC 8032 §7.1', () => {
  it.each(published)('%#', async (secret, publicKey, message, signature) => {
    const key = hex(publicKey).toString('base64url');
    expect(publicKeyFault(key)).toBeNull();
    expect(Buffer.from(await signEd25519(hex(message), hex(secret))).toString('hex')).toBe(signature);
    expect(await signatureFault(hex(signature), hex(message), key)).toBeNull();
    expect(await signatureFault(hex(signature), hex(`${message}00`), key)).toBe('signature_mismatch');
  });
});

const [secretHex = '', publicHex = '', ,] = published[1] ?? [];
const publicKey = hex(publicHex).toString('base64url');
const message = Buffer.from('a request');
const valid = Buffer.from(await signEd25519(message, hex(secretHex)));
const [r, s] = [valid.subarray(0, 32), valid.subarray(32)];

/** All points of small order; the last three encodings are non-canonical. */
const smallOrder = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '0100000000000000000000000000000000000000000000000000000000000080',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];

describe('a signature', () => {
  it('is accepted unchanged', async () => {
    expect(await signatureFault(valid, message, publicKey)).toBeNull();
  });

  it('with the order added to S is refused, once or repeatedly', async () => {
    for (let scalar = fromLittleEndian(s) + order; scalar < 2n ** 256n; scalar += order) {
      const malleable = Buffer.concat([r, littleEndian(scalar)]);
      expect(await signatureFault(malleable, message, publicKey)).toBe('scalar_not_reduced');
    }
  });

  it('has an S below the order', () => {
    const withScalar = (scalar: bigint): string | null =>
      strictSignatureFault(Buffer.concat([r, littleEndian(scalar)]));
    expect([withScalar(order - 1n), withScalar(order), withScalar(2n ** 256n - 1n)]).toEqual([
      null,
      'scalar_not_reduced',
      'scalar_not_reduced',
    ]);
  });

  it.each([0, 1, 32, 63, 65, 128])('of %i bytes is refused', async (length) => {
    expect(await signatureFault(Buffer.concat([valid, valid]).subarray(0, length), message, publicKey)).toBe(
      'signature_length',
    );
  });

  it.each(smallOrder)('whose R is of small order is refused (%s)', async (point) => {
    const fault = await signatureFault(Buffer.concat([hex(point), s]), message, publicKey);
    expect(['small_order_point', 'signature_mismatch']).toContain(fault);
  });

  // With R of small order and S = k·a the equation holds after multiplication by the cofactor, as noble and RFC 8032 do it.
  it('whose R is of small order is refused, even if the equation holds', async () => {
    const digest = (...parts: Uint8Array[]): Buffer => createHash('sha512').update(Buffer.concat(parts)).digest();
    const seed = digest(hex(secretHex)).subarray(0, 32);
    seed[0] = (seed[0] ?? 0) & 248;
    seed[31] = ((seed[31] ?? 0) & 127) | 64;
    const torsion = hex(smallOrder[4] ?? '');
    const k = fromLittleEndian(digest(torsion, hex(publicHex), message)) % order;
    const forged = Buffer.concat([torsion, littleEndian((k * fromLittleEndian(seed)) % order)]);
    expect(await verifyAsync(forged, message, hex(publicHex), { zip215: false })).toBe(true);
    expect(await signatureFault(forged, message, publicKey)).toBe('small_order_point');
  });

  it.each(smallOrder)(
    'by a key of small order is refused, although S = 0 and R = A fit every message (%s)',
    async (point) => {
      const anyMessage = Buffer.concat([hex(point), Buffer.alloc(32)]);
      const identity = Buffer.concat([hex('01'.padEnd(64, '0')), Buffer.alloc(32)]);
      const key = hex(point).toString('base64url');
      expect(publicKeyFault(key)).not.toBeNull();
      for (const signature of [anyMessage, identity]) {
        expect(await signatureFault(signature, message, key)).not.toBeNull();
      }
      // The key alone is a reason to refuse, whatever the signature.
      expect(await signatureFault(valid, message, key)).toBe('unsound_key');
    },
  );

  it('whose R has an unreduced y is refused', async () => {
    // y = p + 3 names the point with y = 3.
    const unreduced = hex('f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f');
    expect(() => Point.fromBytes(unreduced, true)).not.toThrow();
    expect(await signatureFault(Buffer.concat([unreduced, s]), message, publicKey)).toBe('signature_mismatch');
    expect(publicKeyFault(unreduced.toString('base64url'))).toMatch(/not a point/);
  });

  it('is refused if any of its bits is flipped', async () => {
    for (let bit = 0; bit < 512; bit += 7) {
      const altered = Buffer.from(valid);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(await signatureFault(altered, message, publicKey)).not.toBeNull();
    }
  });
});

it('agrees with another implementation on signing and verifying', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array(), async (seed, content) => {
      const x = Buffer.from(await getPublicKeyAsync(seed)).toString('base64url');
      const jwk = { kty: 'OKP', crv: 'Ed25519', x, d: Buffer.from(seed).toString('base64url') };
      const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
      const ours = await signEd25519(content, seed);
      expect(Buffer.from(ours)).toEqual(sign(null, content, privateKey));
      expect(verify(null, content, createPublicKey(privateKey), ours)).toBe(true);
      expect(await signatureFault(ours, content, x)).toBeNull();
    }),
    { numRuns: 20, seed: 20_260_101 },
  );
});
