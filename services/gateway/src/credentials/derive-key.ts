import { createHmac, type Hmac, hkdfSync } from 'node:crypto';

const keyBytes = 32;

/** One key a purpose out of REGISTRY_SECRET, the same at every gateway, so that none says anything about another (HKDF, RFC 5869). 32 bytes. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `agent-trust-registry ${purpose}`, keyBytes));
}

/** A keyed digest of several parts, to be read by `digest`. As JSON, no two lists of parts make one text. */
export function macOf(key: Buffer, parts: readonly (string | null)[]): Hmac {
  return createHmac('sha256', key).update(JSON.stringify(parts), 'utf8');
}
