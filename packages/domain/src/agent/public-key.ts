import { DomainError } from '@agent-trust/contracts';
import { Point } from '@noble/ed25519';

const keyBytes = 32;

/** Why a text is no usable Ed25519 public key, or null when it is one. */
const faultOf = (publicKey: string): string | null => {
  if (!/^[A-Za-z0-9_-]{43}$/.test(publicKey)) return 'it must be 43 characters of unpadded base64url';
  const bytes = Uint8Array.from(Buffer.from(publicKey, 'base64url'));
  // 43 characters carry two bits too many: without this check four texts would name one key.
  if (bytes.length !== keyBytes || Buffer.from(bytes).toString('base64url') !== publicKey) {
    return `it must be the canonical base64url of exactly ${keyBytes} bytes`;
  }
  const point = pointOf(bytes);
  if (point === null) return 'it is not a point on the curve';
  // For a key of small order one signature fits many messages, so whoever registers it can disown what it signed.
  return point.isSmallOrder() ? 'it is a point of small order' : null;
};

/** RFC 8032 §5.1.3, strict: a y coordinate that is not reduced is refused. */
const pointOf = (bytes: Uint8Array): Point | null => {
  try {
    return Point.fromBytes(bytes, false);
  } catch {
    return null;
  }
};

/** Refuses with `invalid_public_key` unless the text is a sound Ed25519 public key: base64url, 32 bytes, on the curve, of large order. */
export const demandSoundPublicKey = (publicKey: string): void => {
  const fault = faultOf(publicKey);
  if (fault !== null)
    throw new DomainError('invalid_public_key', `public_key is not a valid Ed25519 public key: ${fault}`);
};
