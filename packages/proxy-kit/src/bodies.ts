import { DomainError, limits } from '@agent-trust/contracts';
import { withDeadline } from '@agent-trust/limits';
import { createChunkJoiner, OutboundError, type ResponseBody } from '@agent-trust/safe-fetch';

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

/** The Content-Length of an answer; null for one without, or with a wrong one. */
export function announcedLength(headers: Readonly<Record<string, string>>): number | null {
  const bytes = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/**
 * A whole answer: a short one is read at once, more of it when `hold` has made room. Meanwhile it waits at its agent.
 *
 * @param options.hold gets half of the time: the rest can be read in the other half, and a lack of room is never taken for the agent's silence.
 * @throws OutboundError too_large, timeout; what `hold` throws.
 */
export function readInTurn(
  body: ResponseBody,
  options: {
    announcedBytes: number | null;
    bytesMax: number;
    shortBytesMax: number;
    withinMs: number;
    hold: (bytes: number | null, waitMs: number) => Promise<void>;
  },
): Promise<Uint8Array> {
  const { announcedBytes, bytesMax, shortBytesMax, withinMs, hold } = options;
  const endAt = performance.now() + withinMs;
  const read = async (): Promise<Uint8Array> => {
    let whole = createChunkJoiner();
    for await (const chunk of body) {
      const size = whole.size + chunk.byteLength;
      if (size > bytesMax) throw new OutboundError('too_large', 'response_body');
      if (whole.size <= shortBytesMax && size > shortBytesMax) {
        await hold(announcedBytes, Math.max(1, (endAt - performance.now()) / 2));
        const start = whole.joined();
        whole = createChunkJoiner(Math.min(announcedBytes ?? 0, bytesMax));
        whole.add(start);
      }
      whole.add(chunk);
    }
    return whole.joined();
  };
  return withDeadline(read(), withinMs, () => {
    body.cancel();
    return new OutboundError('timeout', 'total_timeout');
  });
}

/**
 * Gives the memory of a whole body back at once. A collection would do it later, by when the next ones have taken as much again: V8 counts such
 * memory, but not so closely. Only for bytes that nobody reads any more, as a socket does until it has sent them; they are empty afterwards. Does
 * nothing to a short body, which may share its memory with others.
 */
export function freeBody({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength && byteLength >= freedBytesMin)
    buffer.transfer(0);
}
const freedBytesMin = 64 * 1024;

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
