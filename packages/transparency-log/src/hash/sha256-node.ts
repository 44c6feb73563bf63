// oxlint-disable-next-line no-restricted-imports -- a pure function, three times as fast as the portable one.
import { hash } from 'node:crypto';

/** SHA-256 of the parts joined, 32 bytes. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const [only = new Uint8Array()] = parts;
  return digestOf(parts.length === 1 ? only : Buffer.concat(parts));
}

/** SHA-256 of a text in UTF-8. */
export function sha256OfText(text: string): Uint8Array {
  return digestOf(text);
}

const digestOf = (input: string | Uint8Array): Uint8Array => {
  const digest = hash('sha256', input, 'buffer');
  // A Buffer's slice shares its bytes, which nobody expects of a hash.
  return new Uint8Array(digest.buffer, digest.byteOffset, digest.length);
};
