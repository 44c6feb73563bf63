import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256 as lower-case hexadecimal digits: the only form in which a secret leaves this process. */
export function sha256Hex(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Compares secrets in a time that does not depend on where they differ, nor on their lengths. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}
