// oxlint-disable-next-line no-restricted-imports -- a pure function, three times as fast as the portable one.
import { hash } from 'node:crypto';

/** SHA-256 of the parts joined, 32 bytes. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const [only = new Uint8Array()] = parts;
  const digest = hash('sha256', parts.length === 1 ? only : Buffer.concat(parts), 'buffer');
  // A Buffer's slice shares its bytes, which nobody expects of a hash.
  return new Uint8Array(digest.buffer, digest.byteOffset, digest.length);
}
