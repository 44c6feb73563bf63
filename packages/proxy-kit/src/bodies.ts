import { DomainError, limits } from '@agent-trust/contracts';
import { createChunkJoiner } from '@agent-trust/safe-fetch';

/** The chunks of a request's body; throws DomainError payload_too_large. The gateway limits bodies too; this limit does not rely on that. */
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

/** The whole body. @param bytes its announced length, for which room is made at once: joining chunks at the end would take twice as much. */
export async function readBody(body: AsyncIterable<Uint8Array>, bytes = 0): Promise<Uint8Array> {
  const whole = createChunkJoiner(Math.min(bytes, limits.callBodyBytesMax));
  for await (const chunk of limitBody(body)) whole.add(chunk);
  return whole.joined();
}

export async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  if (body.byteLength > 0) yield body;
}

/** Successful (RFC 9110 §15.3): the agent's own answer. An answer with another status often comes from its server, and describes the server. */
export function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** True for a compressed body. Compression is not asked for; such a body is passed on as it is and never unpacked. */
export function isCoded(headers: Readonly<Record<string, string>>): boolean {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return coding !== '' && coding !== 'identity';
}
