import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  publicKeyFault,
  type ReadSignature,
  type SignatureRefusalReason,
  verifySignature,
} from '@agent-trust/http-signature';
import { signatureEdgeLimits } from './limits.ts';

/** Keys by their text, null for one that is not sound; to find that out costs more than to check a signature. */
const knownKeys = new Map<string, KeyObject | null>();

const keyOf = (publicKey: string): KeyObject | null => {
  const known = knownKeys.get(publicKey);
  if (known !== undefined) return known;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey };
  const key = publicKeyFault(publicKey) === null ? createPublicKey({ key: jwk, format: 'jwk' }) : null;
  const [oldest] = knownKeys.keys();
  if (knownKeys.size >= signatureEdgeLimits.knownKeysMax && oldest !== undefined) knownKeys.delete(oldest);
  knownKeys.set(publicKey, key);
  return key;
};

/**
 * Why a signature is not one of this key, or null when it is. OpenSSL looks first: it is some fifteen times faster, so that whoever sends
 * forgeries costs little. The strict verifier has the last word, and only what both accept is accepted.
 */
export async function keyFault(signature: ReadSignature, publicKey: string): Promise<SignatureRefusalReason | null> {
  const key = keyOf(publicKey);
  if (key === null) return 'unsound_key';
  const isPlausible = verify(null, Buffer.from(signature.base, 'latin1'), key, signature.signature);
  return isPlausible ? verifySignature(signature, publicKey) : 'signature_mismatch';
}
