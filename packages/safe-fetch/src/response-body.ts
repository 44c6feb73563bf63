import { withDeadline } from '@agent-trust/limits';
import { createChunkJoiner } from './chunk-joiner.ts';
import { OutboundError } from './outbound-error.ts';
import { toOutboundError } from './to-outbound-error.ts';

/** The bytes of an answer as they arrive. It can be iterated once; leaving the loop early closes the connection. */
export type ResponseBody = AsyncIterable<Uint8Array> & {
  /** Closes the connection without reading the rest; harmless at any time. */
  cancel(): void;
};

type Source = AsyncIterable<Uint8Array> & { destroy(error?: Error): unknown };

/**
 * Wraps undici's body: counts bytes, turns failures into OutboundErrors, and calls `onDone` once when it is over.
 *
 * @param failure The reason for which this side ended the request, if it did.
 */
export function wrapBody(
  source: Source,
  bytesMax: number,
  failure: () => OutboundError | undefined,
  onDone: () => void,
): ResponseBody {
  let isDone = false;
  const done = (): void => {
    if (isDone) return;
    isDone = true;
    onDone();
  };
  const cancel = (): void => {
    source.destroy();
    done();
  };
  async function* read(): AsyncGenerator<Uint8Array, void, undefined> {
    let bytes = 0;
    try {
      for await (const chunk of source) {
        bytes += chunk.byteLength;
        if (bytes > bytesMax) throw new OutboundError('too_large', 'response_body');
        yield chunk;
      }
    } catch (error) {
      throw failure() ?? toOutboundError(error, 'body');
    } finally {
      cancel();
    }
  }
  let isRead = false;
  return {
    cancel,
    [Symbol.asyncIterator]: () => {
      if (isRead) throw new TypeError('the body of an answer can be read once');
      isRead = true;
      return read();
    },
  };
}

/**
 * The whole body as one array.
 *
 * @throws {OutboundError} as iterating over it does, `too_large` beyond `bytesMax` included.
 */
export async function readBytes(body: ResponseBody, bytesMax: number = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const whole = createChunkJoiner();
  for await (const chunk of body) {
    if (whole.size + chunk.byteLength > bytesMax) throw new OutboundError('too_large', 'response_body');
    whole.add(chunk);
  }
  return whole.joined();
}

/**
 * The whole body as one array, within a deadline: the timeouts of a request limit only the silence between two chunks of a body, and are chosen
 * before the answer is known.
 *
 * @param withinMs from now.
 * @throws {OutboundError} `timeout`, or as `readBytes` does.
 */
export function readWithin(body: ResponseBody, bytesMax: number, withinMs: number): Promise<Uint8Array> {
  return withDeadline(readBytes(body, bytesMax), withinMs, () => {
    body.cancel();
    return new OutboundError('timeout', 'total_timeout');
  });
}
