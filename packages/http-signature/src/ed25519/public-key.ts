import { Point } from '@noble/ed25519';

const keyBytes = 32;

/**
 * Why a text is not a usable Ed25519 public key, or null if it is one: base64url in canonical form, 32 bytes, on the curve, of large order. The
 * message never contains the text itself.
 */
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

/** The bytes of a valid public key. */
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
