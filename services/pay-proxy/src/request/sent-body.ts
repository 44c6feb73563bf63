import { DomainError, limits } from '@agent-trust/contracts';
import { payLimits } from '../limits.ts';

/** The body as it comes, held to the bound of every body. */
async function* bounded(body: AsyncIterable<Uint8Array>, whole: () => void): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > limits.callBodyBytesMax) {
      throw new DomainError('payload_too_large', `the body is larger than ${limits.callBodyBytesMax} bytes`);
    }
    yield chunk;
  }
  whole();
}

/**
 * The payer's body as it is sent: a small one of a declared length in one piece, since some servers take none without a length; any
 * other as it comes.
 *
 * @param whole is called when the payer has sent all of it.
 */
export async function sentBody(
  body: AsyncIterable<Uint8Array>,
  contentLength: string | undefined,
  whole: () => void,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const declared = Number(contentLength ?? Number.NaN);
  if (!(declared <= payLimits.wholeBodyBytesMax)) return bounded(body, whole);
  const chunks: Uint8Array[] = [];
  for await (const chunk of bounded(body, whole)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
