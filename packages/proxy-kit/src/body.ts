import { DomainError, limits } from '@agent-trust/contracts';

/**
 * The chunks of a request's body. The gateway limits bodies too; this limit does not rely on that.
 *
 * @throws DomainError payload_too_large.
 */
export async function* limitBody(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > limits.callBodyBytesMax) {
      throw new DomainError('payload_too_large', `the body is larger than ${limits.callBodyBytesMax} bytes`);
    }
    yield chunk;
  }
}

/** The whole body, with the limit of `limitBody`. */
export async function readBody(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks = await Array.fromAsync(limitBody(body));
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

/** A whole answer as a stream. */
export async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  if (body.byteLength > 0) yield body;
}
