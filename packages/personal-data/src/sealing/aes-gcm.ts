import { createCipheriv, createDecipheriv } from 'node:crypto';

/** AES-256-GCM (NIST SP 800-38D). */
const algorithm = 'aes-256-gcm';
export const nonceBytes = 12;
export const tagBytes = 16;

/** `context` is authenticated with the bytes, and decryption needs the same context. As JSON, no two lists of parts give the same text. */
export type SealingContext = readonly string[];

const additionalData = (context: SealingContext): Buffer => Buffer.from(JSON.stringify(context), 'utf8');

/** Nonce, ciphertext and tag of `bytes`. The caller ensures that no nonce is used for two different texts under one key. */
export function encrypt(key: Buffer, nonce: Buffer, context: SealingContext, bytes: Buffer): Buffer {
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(additionalData(context));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts what `encrypt` returned; throws if the key or the context differs, or anything was changed. */
export function decrypt(key: Buffer, context: SealingContext, sealed: Buffer): Buffer {
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(additionalData(context));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}
