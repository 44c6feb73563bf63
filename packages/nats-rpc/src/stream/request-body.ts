import { withFallback } from '@agent-trust/limits';

/** A request body split into what travels inside the opening message and what follows. */
export type RequestBody = {
  inline: Uint8Array;
  /** Whether the inline part is the whole body. */
  complete: boolean;
  /** The rest; can be read once. */
  rest(): AsyncGenerator<Uint8Array, void>;
  /** The rest is not wanted: releases the source, without waiting for it. */
  abandon(): void;
};

const nothing = new Uint8Array(0);

/**
 * Reads the start of a body: up to `inlineBytesMax`, for at most `inlineWaitMs`, so that a small body costs no second message and a slow one does not
 * delay the opening. Rejects with the source's own error.
 */
export async function takeInline(
  body: Uint8Array | AsyncIterable<Uint8Array> | undefined,
  limits: { inlineBytesMax: number; inlineWaitMs: number },
): Promise<RequestBody> {
  if (body === undefined) return complete(nothing);
  if (body instanceof Uint8Array) return body.length <= limits.inlineBytesMax ? complete(body) : following(body);

  const iterator = body[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const dueAt = performance.now() + limits.inlineWaitMs;
  for (;;) {
    const pending = iterator.next();
    // A failure after the wait is handled by the reader of the rest.
    const result = await withFallback(pending, dueAt - performance.now(), () => null);
    if (result === null) return split(iterator, parts, pending);
    if (result.done) return complete(Buffer.concat(parts));
    bytes += result.value.length;
    if (bytes > limits.inlineBytesMax) return split(iterator, parts, Promise.resolve(result));
    parts.push(result.value);
  }
}

const complete = (inline: Uint8Array): RequestBody => ({
  inline,
  complete: true,
  rest: async function* () {},
  abandon: () => {},
});

const following = (body: Uint8Array): RequestBody => ({
  inline: nothing,
  complete: false,
  rest: async function* () {
    yield body;
  },
  abandon: () => {},
});

const split = (
  iterator: AsyncIterator<Uint8Array>,
  parts: Uint8Array[],
  pending: Promise<IteratorResult<Uint8Array>>,
): RequestBody => ({
  inline: Buffer.concat(parts),
  complete: false,
  rest: async function* () {
    for (let result = await pending; !result.done; result = await iterator.next()) yield result.value;
  },
  abandon: () => {
    // A generator answers return() only after its pending next(), which may take for ever.
    iterator.return?.()?.then(
      () => {},
      () => {},
    );
  },
});
