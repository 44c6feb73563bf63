import { withDeadline } from '@agent-trust/limits';
import { OutboundError, toOutboundError } from './outbound-error.ts';

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

/** The whole body as one array. Throws OutboundError as iterating over it does, `too_large` beyond `bytesMax`. */
export async function readBytes(body: ResponseBody, bytesMax: number = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const whole = createChunkJoiner();
  for await (const chunk of body) {
    if (whole.size + chunk.byteLength > bytesMax) throw new OutboundError('too_large', 'response_body');
    whole.add(chunk);
  }
  return whole.joined();
}

/**
 * The whole body as one array, within a deadline from now; else OutboundError `timeout`. A request's own timeouts limit only the silence between two
 * chunks, and are chosen before the answer is known.
 */
export function readWithin(body: ResponseBody, bytesMax: number, withinMs: number): Promise<Uint8Array> {
  return withDeadline(readBytes(body, bytesMax), withinMs, () => {
    body.cancel();
    return new OutboundError('timeout', 'total_timeout');
  });
}

const firstRoomBytes = 2 * 1024 * 1024;

export type ChunkJoiner = {
  add(chunk: Uint8Array): void;
  readonly size: number;
  /** All bytes as one new array; call it once, at the end. */
  joined(): Buffer;
};

/**
 * Collects a body, whose size the caller limits. Chunks are copied into a buffer that doubles, and not kept: a chunk of a single byte is an object two
 * hundred times its size, and a thousand of them for each of ten thousand bodies under way would be gigabytes.
 *
 * @param expectedBytes Room that is made for a body of announced length: a little at first, then all, so that a body that breaks off early has not
 *   taken so much, and a long one is copied once.
 */
export function createChunkJoiner(expectedBytes = 0): ChunkJoiner {
  let room = Buffer.allocUnsafeSlow(Math.min(expectedBytes, firstRoomBytes));
  let size = 0;
  return {
    add: (chunk) => {
      const needed = size + chunk.byteLength;
      if (needed > room.length) {
        // Exact for the first chunk: most bodies come in one.
        const larger = Buffer.allocUnsafeSlow(Math.max(needed, expectedBytes, 2 * room.length));
        room.copy(larger, 0, 0, size);
        room = larger;
      }
      room.set(chunk, size);
      size = needed;
    },
    get size() {
      return size;
    },
    joined: () => (size === room.length ? room : Buffer.from(room.subarray(0, size))),
  };
}
