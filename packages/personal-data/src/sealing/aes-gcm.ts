import { createCipheriv, createDecipheriv } from 'node:crypto';

/** AES-256-GCM (NIST SP 800-38D). */
const algorithm = 'aes-256-gcm';
export const nonceBytes = 12;
const tagBytes = 16;

/** `context` is authenticated beside the bytes, which open with the same only; as JSON, no two lists of parts make one text. */
export type SealingContext = readonly string[];

const additionalData = (context: SealingContext): Buffer => Buffer.from(JSON.stringify(context), 'utf8');

/** Nonce, ciphertext and tag of `bytes`. A nonce is never to be used for two different texts under one key: who calls sees to it. */
export function encrypt(key: Buffer, nonce: Buffer, context: SealingContext, bytes: Buffer): Buffer {
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(additionalData(context));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** The bytes in what `encrypt` made; throws for another key or context, and for whatever was changed since. */
export function decrypt(key: Buffer, context: SealingContext, sealed: Buffer): Buffer {
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(additionalData(context));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}
