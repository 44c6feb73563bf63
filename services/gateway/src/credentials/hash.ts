import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256 as lower-case hexadecimal digits: the only form in which a secret leaves this process. */
export const sha256Hex = (secret: string): string => hash('sha256', secret, 'hex');

/** Compares secrets in a time that does not depend on where they differ, nor on their lengths. */
export const sameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
