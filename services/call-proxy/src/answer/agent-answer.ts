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

/** A whole body in memory. The source bounds it: safe-fetch ends an answer that is larger than its limit. */
export const readWhole = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
};
