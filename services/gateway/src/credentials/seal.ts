import { createCipheriv, createDecipheriv, createHmac, type Hmac, hkdfSync, randomBytes } from 'node:crypto';

const keyBytes = 32;

/** One key for each purpose, derived from REGISTRY_SECRET, the same at every gateway, so that no key reveals another (HKDF, RFC 5869). 32 bytes. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `agent-trust-registry ${purpose}`, keyBytes));
}

/** REGISTRY_SECRET, and while it is replaced REGISTRY_SECRET_PREVIOUS behind it. */
export type RegistrySecrets = readonly [string, ...string[]];

/** Keys for one purpose: new texts are sealed with the first, and each opens what it has sealed. */
export type SealKeys = readonly [Buffer, ...Buffer[]];

export function deriveKeys([current, ...previous]: RegistrySecrets, purpose: string): SealKeys {
  return [deriveKey(current, purpose), ...previous.map((secret) => deriveKey(secret, purpose))];
}

/** A keyed digest of several parts; as JSON, no two lists of parts have the same text. */
export function macOf(key: Buffer, parts: readonly (string | null)[]): Hmac {
  return createHmac('sha256', key).update(JSON.stringify(parts), 'utf8');
}

/** AES-256-GCM (NIST SP 800-38D) with a random nonce of 96 bits, good for 2^32 texts under one key. */
const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts a text so that it opens only under the same name. The bytes are nonce, ciphertext and tag. */
export function seal([key]: SealKeys, name: string, text: string): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(name, 'utf8'));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** The text in sealed bytes; throws if they were sealed with none of the keys or under another name, or were changed since. */
export function unseal(keys: SealKeys, name: string, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  let cause: unknown;
  for (const key of keys) {
    try {
      return unsealWith(key, name, bytes);
    } catch (error) {
      cause = error;
    }
  }
  throw new Error('a sealed text cannot be opened: it has another secret or name, or was changed', { cause });
}

const unsealWith = (key: Buffer, name: string, bytes: Buffer): string => {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(name, 'utf8'));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  const ciphertext = bytes.subarray(nonceBytes, -tagBytes);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
};
