import { DomainError } from '@agent-trust/contracts';
import { publicKeyFault } from '@agent-trust/http-signature';

/** Refuses with `invalid_public_key` unless the text is a sound Ed25519 public key: base64url, 32 bytes, on the curve, of large order. */
export function ensureSoundPublicKey(publicKey: string): void {
  const fault = publicKeyFault(publicKey);
  if (fault !== null)
    throw new DomainError('invalid_public_key', `public_key is not a valid Ed25519 public key: ${fault}`);
}
