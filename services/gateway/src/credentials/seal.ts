import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** AES-256-GCM (NIST SP 800-38D) with a random nonce of 96 bits, good for 2^32 texts under one key. */
const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts a text so that it opens under the same name only. The bytes are nonce, ciphertext and tag. */
export function seal(key: Buffer, name: string, text: string): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(name, 'utf8'));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** The text in sealed bytes; throws when they were sealed with another key or under another name, or were changed since. */
export function unseal(key: Buffer, name: string, sealed: Uint8Array): string {
  try {
    return open(key, name, Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength));
  } catch (cause) {
    throw new Error('what was sealed cannot be opened: it is from another secret or name, or was changed', { cause });
  }
}

const open = (key: Buffer, name: string, bytes: Buffer): string => {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(name, 'utf8'));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  const ciphertext = bytes.subarray(nonceBytes, -tagBytes);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
};
