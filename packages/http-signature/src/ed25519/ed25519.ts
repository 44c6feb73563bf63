import { Point, signAsync, verifyAsync } from '@noble/ed25519';
import type { SignatureRefusalReason } from '../refusal.ts';

const keyBytes = 32;

/** Why a text is not a sound Ed25519 key, or null: canonical base64url of 32 bytes, on the curve, of large order. Never contains the text. */
export function publicKeyFault(publicKey: string): string | null {
  if (!/^[A-Za-z0-9_-]{43}$/.test(publicKey)) return 'it must be 43 characters of unpadded base64url';
  const bytes = publicKeyBytes(publicKey);
  // 43 characters carry two spare bits: without this check four texts would name one key.
  if (bytes.length !== keyBytes || Buffer.from(bytes).toString('base64url') !== publicKey) {
    return `it must be the canonical base64url of exactly ${keyBytes} bytes`;
  }
  const point = pointOf(bytes);
  if (point === null) return 'it is not a point on the curve';
  // For a key of small order one signature fits many messages, so its owner can deny what it signed.
  return point.isSmallOrder() ? 'it is a point of small order' : null;
}

export function publicKeyBytes(publicKey: string): Uint8Array {
  return Uint8Array.from(Buffer.from(publicKey, 'base64url'));
}

/** RFC 8032 §5.1.3, strict: a y coordinate that is not reduced is refused. */
const pointOf = (bytes: Uint8Array): Point | null => {
  try {
    return Point.fromBytes(bytes, false);
  } catch {
    return null;
  }
};

const signatureBytes = 64;
const { n: groupOrder } = Point.CURVE();

/** The eight points of small order in canonical encoding, as the first half of a signature. */
const smallOrderPoints: ReadonlySet<string> = new Set([
  `00${'00'.repeat(31)}`,
  `00${'00'.repeat(30)}80`,
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
]);

/**
 * Why bytes are not a strict Ed25519 signature of any message (RFC 8032 §5.1.7), or null. Cheap, and needs no key: 64 bytes, a scalar below the order of
 * the group (adding the order makes a second signature of the same message), and a point of large order.
 */
export function strictSignatureFault(signature: Uint8Array): SignatureRefusalReason | null {
  if (signature.length !== signatureBytes) return 'signature_length';
  const scalar = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`);
  if (scalar >= groupOrder) return 'scalar_not_reduced';
  return smallOrderPoints.has(Buffer.from(signature.subarray(0, 32)).toString('hex')) ? 'small_order_point' : null;
}

/** Why a signature is not one by this key over this message, or null. Strict RFC 8032: canonical encodings, no keys or points of small order. */
export async function signatureFault(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: string,
): Promise<SignatureRefusalReason | null> {
  const fault = strictSignatureFault(signature);
  if (fault !== null) return fault;
  if (publicKeyFault(publicKey) !== null) return 'unsound_key';
  const fits = await verifyAsync(signature, message, publicKeyBytes(publicKey), { zip215: false });
  return fits ? null : 'signature_mismatch';
}

/** The 64 bytes of an Ed25519 signature; the same for the same key and message. `secretKey` is the seed of 32 bytes. */
export function signEd25519(message: Uint8Array, secretKey: Uint8Array): Promise<Uint8Array> {
  return signAsync(message, secretKey);
}
