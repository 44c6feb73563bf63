import { createHash } from 'node:crypto';

/** What an agent sent back, as far as the first byte of its body. */
export type AgentAnswer = {
  statusCode: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
};

/** Size and SHA-256 of bytes that pass by. */
export type Digest = { add(chunk: Uint8Array): void; bytes(): number; hex(): string };

export const createDigest = (): Digest => {
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
};
