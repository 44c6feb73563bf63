import { createHash } from 'node:crypto';

/** Size and SHA-256 of bytes that pass by. */
export type Digest = { add(chunk: Uint8Array): void; bytes(): number; hex(): string };

export function createDigest(): Digest {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    add: (chunk) => {
      hash.update(chunk);
      bytes += chunk.byteLength;
    },
    bytes: () => bytes,
    hex: () => hash.copy().digest('hex'),
  };
}
