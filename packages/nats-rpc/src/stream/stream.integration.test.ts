import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { waitFor } from '@agent-trust/test-kit';
import { RpcCancelledError, RpcError, RpcInternalError, RpcProtocolError, RpcRefusal } from '../errors.ts';
import { bytesMethod, connectPeer, readAll, recordingLogger } from '../test-peers.ts';

const natsUrl = inject('natsUrl');
const caller = { natsUrl, service: 'caller' };
const mebibyte = 1024 * 1024;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* forEver(size: number, onChunk: () => void): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    onChunk();
    yield Buffer.alloc(size);
  }
}

test('a small call is one message each way', async () => {
  const method = bytesMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  await server.serveStream(method, async (_context, _input, body, answer) => {
    const received = await readAll(body);
    answer.head({ status: 200 });
    await answer.write(Buffer.from(`echo ${received.toString()}`));
    return { received: received.length };
  });
  const before = { client: client.connection.stats(), server: server.connection.stats() };
  const stream = await client.openStream(method, {}, { body: inChunks(Buffer.from('hello'), 2) });
  expect(stream.head).toEqual({ status: 200 });
  expect((await readAll(stream.body)).toString()).toBe('echo hello');
  await expect(stream.trailer).resolves.toEqual({ received: 5 });
  expect(client.connection.stats().outMsgs - before.client.outMsgs).toBe(1);
  expect(server.connection.stats().outMsgs - before.server.outMsgs).toBe(1);
  expect(client.status()).toMatchObject({ openStreams: 0, pendingCalls: 0 });
});

test('10 MiB are uploaded and downloaded unchanged, many times at once', async () => {
  const method = bytesMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  await server.serveStream(method, async (_context, _input, body, answer) => {
    answer.head({ status: 200 });
    let received = 0;
    for await (const chunk of body) {
      received += chunk.length;
      await answer.write(chunk);
    }
    return { received };
  });
  const bytes = randomBytes(10 * mebibyte);
  const once = async (body: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> => {
    const stream = await client.openStream(method, {}, { body });
    expect(sha256(await readAll(stream.body))).toBe(sha256(bytes));
    await expect(stream.trailer).resolves.toEqual({ received: bytes.length });
  };
  await once(bytes);
  await Promise.all(Array.from({ length: 8 }, (_, index) => once(inChunks(bytes, 10_000 * (index + 1) + index))));
  expect(client.status()).toMatchObject({ openStreams: 0, pendingCalls: 0 });
  await waitFor(() => server.status().runningHandlers === 0);
});

test('a first chunk arrives before the last one is written', async () => {
  const method = bytesMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  const firstWasRead = Promise.withResolvers<void>();
  await server.serveStream(method, async (_context, _input, _body, answer) => {
    answer.head({ status: 200 });
    await answer.write(Buffer.from('first'));
    await firstWasRead.promise;
    await answer.write(Buffer.from('last'));
    return { received: 0 };
  });
  const stream = await client.openStream(method, {});
  const chunks: string[] = [];
  for await (const chunk of stream.body) {
    chunks.push(Buffer.from(chunk).toString());
    firstWasRead.resolve();
  }
  expect(chunks).toEqual(['first', 'last']);
});

// An unbounded buffer anywhere between the two would let the writer run ahead of a reader that does not read. The reader takes one chunk and waits
// until the writer stalls; the bytes written by then must fit into the window.
test('a reader that stops holds the writer at one window, in both directions', async () => {
  const method = bytesMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  const windowBytes = 512 * 1024;
  const chunkBytes = 16 * 1024;
  let written = 0;
  let read = 0;
  const goOn = Promise.withResolvers<void>();
  await server.serveStream(method, async (_context, { size }, body, answer) => {
    answer.head({ status: 200 });
    if (size === 0) {
      for await (const chunk of body) {
        read += chunk.length;
        await goOn.promise;
      }
      return { received: read };
    }
    for (; written < size; written += chunkBytes) await answer.write(Buffer.alloc(chunkBytes));
    return { received: 0 };
  });
  const standsStill = async (): Promise<number> =>
    waitFor(async () => {
      const before = written;
      await delay(150);
      return written > 0 && before === written ? written : 0;
    });

  const down = await client.openStream(method, { size: 4 * mebibyte });
  const iterator = down.body[Symbol.asyncIterator]();
  const first = await iterator.next();
  expect(await standsStill()).toBeLessThanOrEqual(windowBytes + 2 * chunkBytes);
  let received = first.value?.length ?? 0;
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) received += next.value.length;
  expect(received).toBe(4 * mebibyte);

  written = 0;
  async function* upload(): AsyncGenerator<Uint8Array, void> {
    for (; written < 4 * mebibyte; written += chunkBytes) yield Buffer.alloc(chunkBytes);
  }
  const up = await client.openStream(method, {}, { body: upload() });
  // The opening contains the start of the body, which does not count against the window.
  expect(await standsStill()).toBeLessThanOrEqual(windowBytes + 64 * 1024 + 2 * chunkBytes);
  goOn.resolve();
  await readAll(up.body);
  await expect(up.trailer).resolves.toEqual({ received: 4 * mebibyte });
});

test.each(['cancel()', 'signal', 'leaving the iteration'])('%s reaches the handler', async (way) => {
  const method = bytesMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  let ended: { reason: unknown } | undefined;
  await server.serveStream(method, async ({ signal }, _input, _body, answer) => {
    signal.addEventListener('abort', () => {
      ended = { reason: signal.reason };
    });
    answer.head({ status: 200 });
    for (;;) await answer.write(Buffer.alloc(1_000));
  });
  const abort = new AbortController();
  const stream = await client.openStream(method, {}, { signal: abort.signal });
  if (way === 'cancel()') stream.cancel();
  else if (way === 'signal') abort.abort();
  else for await (const _chunk of stream.body) break;
  // Long before the stream counts as idle.
  await waitFor(() => ended);
  expect(ended?.reason).toBeInstanceOf(RpcCancelledError);
  await expect(stream.trailer).rejects.toBeInstanceOf(RpcCancelledError);
  await waitFor(() => server.status().runningHandlers === 0);
  expect(client.status()).toMatchObject({ openStreams: 0, pendingCalls: 0 });
});

test("a cancel before the server's first frame reaches the server as well", async () => {
  const method = bytesMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  let aborted = false;
  const started = Promise.withResolvers<void>();
  const abort = new AbortController();
  await server.serveStream(method, async ({ signal }) => {
    signal.addEventListener('abort', () => {
      aborted = true;
    });
    started.resolve();
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    throw signal.reason;
  });
  const opening = client.openStream(method, {}, { signal: abort.signal });
  abort.abort(new Error('client left'));
  await expect(opening).rejects.toBeInstanceOf(RpcCancelledError);
  // First cancelled before it was sent: nothing may reach the server. Then cancelled after it was sent.
  const again = new AbortController();
  const second = client.openStream(method, {}, { signal: again.signal });
  second.catch(() => {});
  await started.promise;
  again.abort();
  await expect(second).rejects.toBeInstanceOf(RpcCancelledError);
  await waitFor(() => aborted);
  await waitFor(() => client.status().pendingCalls === 0);
});

test('a refusal or failure before the head rejects the opening; after it, ends the body', async () => {
  const method = bytesMethod();
  const logger = recordingLogger();
  const server = await connectPeer({ natsUrl, service: method.service, logger });
  const client = await connectPeer(caller);
  await server.serveStream(method, async (_context, { size }, _body, answer) => {
    if (size === 0) throw new RpcRefusal('no_endpoint', 'the agent has no endpoint', { status: 422 });
    if (size === 1) throw new Error('secret');
    answer.head({ status: 200 });
    await answer.write(Buffer.alloc(200_000));
    throw new Error('secret');
  });
  await expect(client.openStream(method, {})).rejects.toMatchObject({ code: 'no_endpoint', status: 422 });
  await expect(client.openStream(method, { size: 1 })).rejects.toBeInstanceOf(RpcInternalError);
  const stream = await client.openStream(method, { size: 2 });
  let received = 0;
  const reading = (async () => {
    for await (const chunk of stream.body) received += chunk.length;
  })();
  await expect(reading).rejects.toBeInstanceOf(RpcInternalError);
  expect(received).toBe(200_000);
  await expect(stream.trailer).rejects.toBeInstanceOf(RpcInternalError);
  expect(logger.lines.filter(({ level }) => level === 'error')).toHaveLength(2);
  expect(logger.lines.filter(({ message }) => message === 'serving a stream')).toHaveLength(3);
});

test('an answer that ends early stops the upload and releases its source', async () => {
  const method = bytesMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  await server.serveStream(method, async (_context, _input, _body, answer) => {
    answer.head({ status: 413 });
    return { received: 0 };
  });
  let released = false;
  async function* source(): AsyncGenerator<Uint8Array, void> {
    try {
      yield* forEver(64 * 1024, () => {});
    } finally {
      released = true;
    }
  }
  const stream = await client.openStream(method, {}, { body: source() });
  expect(stream.head).toEqual({ status: 413 });
  await expect(stream.trailer).resolves.toEqual({ received: 0 });
  await waitFor(() => released);
});

test('a failing request body cancels the stream on both sides', async () => {
  const method = bytesMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  let serverSaw: unknown;
  await server.serveStream(method, async (_context, _input, body) => {
    serverSaw = await readAll(body).catch((error: unknown) => error);
    throw serverSaw;
  });
  async function* broken(): AsyncGenerator<Uint8Array, void> {
    yield Buffer.alloc(100_000);
    throw new Error('the client hung up');
  }
  await expect(client.openStream(method, {}, { body: broken() })).rejects.toMatchObject({
    name: 'RpcCancelledError',
    cause: { message: 'the client hung up' },
  });
  await waitFor(() => serverSaw);
  expect(serverSaw).toBeInstanceOf(RpcCancelledError);
});

test('idle timeouts end a stream: no head, no data, no reading', async () => {
  const method = bytesMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  const ends: unknown[] = [];
  await server.serveStream(
    method,
    async ({ signal }, { size }, body, answer) => {
      signal.addEventListener('abort', () => ends.push(signal.reason));
      if (size === 0) await new Promise(() => {});
      answer.head({ status: 200 });
      if (size === 1) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      if (size === 2) for (;;) await answer.write(Buffer.alloc(64 * 1024));
      return { received: (await readAll(body)).length };
    },
    { idleTimeoutMs: 200 },
  );
  await expect(client.openStream(method, {}, { headTimeoutMs: 80 })).rejects.toMatchObject({ phase: 'head' });

  const silent = await client.openStream(method, { size: 1 }, { idleTimeoutMs: 80 });
  await expect(readAll(silent.body)).rejects.toMatchObject({ name: 'RpcTimeoutError', phase: 'idle' });

  const unread = await client.openStream(method, { size: 2 });
  await expect(unread.trailer).rejects.toMatchObject({ name: 'RpcTimeoutError', phase: 'idle', timeoutMs: 200 });

  async function* stuck(): AsyncGenerator<Uint8Array, void> {
    yield Buffer.alloc(100_000);
    await new Promise(() => {});
  }
  const starved = await client.openStream(method, { size: 3 }, { body: stuck() });
  await expect(starved.trailer).rejects.toMatchObject({ name: 'RpcTimeoutError', phase: 'idle', timeoutMs: 200 });
  await waitFor(() => ends.length === 4);
  expect(client.status()).toMatchObject({ openStreams: 0 });
});

test('the number of streams is limited on both sides', async () => {
  const method = bytesMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer({ ...caller, limits: { openStreamsMax: 2 } });
  const other = await connectPeer(caller);
  await server.serveStream(
    method,
    async ({ signal }, _input, _body, answer) => {
      answer.head({ status: 200 });
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      return { received: 0 };
    },
    { concurrentMax: 2 },
  );
  const open = await Promise.all([client.openStream(method, {}), client.openStream(method, {})]);
  await expect(client.openStream(method, {})).rejects.toMatchObject({ reason: 'too_many_calls' });
  await expect(other.openStream(method, {})).rejects.toMatchObject({ reason: 'overloaded' });
  for (const stream of open) stream.cancel();
  await waitFor(() => server.status().runningHandlers === 0);
  (await other.openStream(method, {})).cancel();
});

test('without any instance the opening fails at once', async () => {
  const client = await connectPeer(caller);
  await expect(client.openStream(bytesMethod(), {})).rejects.toMatchObject({ reason: 'no_responders' });
});

// A lost frame (a slow consumer, a reconnect) must end the stream, not leave a hole in the body. A forger with the client's rights simulates the
// network: it repeats, skips and reorders frames of a live stream.
test.each([
  ['doubled', [1, 1]],
  ['lost', [2]],
  ['reordered', [2, 1]],
])('a %s frame ends the stream', async (_name, sequences) => {
  const method = bytesMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  const replies: string[] = [];
  const spy = server.connection.subscribe(`rpc.${method.service}.*`, {
    callback: (_error, message) => void replies.push(message.reply ?? ''),
  });
  await server.serveStream(method, async ({ signal }, _input, _body, answer) => {
    answer.head({ status: 200 });
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    return { received: 0 };
  });
  const controls: string[] = [];
  const listener = server.connection.subscribe('control.>', {
    callback: (_error, message) => void controls.push(message.subject),
  });
  const stream = await client.openStream(method, {});
  // Accept and head were frames 0 and 1 of the server; the forged ones continue from there.
  for (const sequence of sequences) {
    const frame = Buffer.alloc(6);
    frame.writeUInt8(4, 0);
    frame.writeUInt32BE(sequence + 1, 1);
    server.connection.publish(replies[0] ?? '', frame);
  }
  await expect(readAll(stream.body)).rejects.toBeInstanceOf(RpcProtocolError);
  await waitFor(() => server.status().runningHandlers === 0);
  expect(controls.length).toBeGreaterThan(0);
  spy.unsubscribe();
  listener.unsubscribe();
});

// Bug: a service that stops closes the bus and then its handlers' dependencies, while aborted handlers still want to record their end. The handler
// needs a turn of the event loop for that; close must not resolve before.
test('close waits for the handlers that it aborts', async () => {
  const method = bytesMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  const order: string[] = [];
  await server.serveStream(method, async ({ signal }, _input, _body, answer) => {
    answer.head({ status: 200 });
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await delay(50);
    order.push('handler ended');
    return { received: 0 };
  });
  const stream = await client.openStream(method, {});
  const answered = readAll(stream.body).catch((error: unknown) => error);
  stream.trailer.catch(() => {});
  await server.close();
  order.push('closed');
  expect(await answered).toBeInstanceOf(RpcError);
  expect(order).toEqual(['handler ended', 'closed']);
});

test('close has a timeout', async () => {
  const method = bytesMethod();
  const server = await connectPeer({ natsUrl, service: method.service, limits: { closeTimeoutMs: 20 } });
  const client = await connectPeer(caller);
  await server.serveStream(method, async (_context, _input, _body, answer) => {
    answer.head({ status: 200 });
    return new Promise(() => {});
  });
  const stream = await client.openStream(method, {});
  stream.trailer.catch(() => {});
  await server.close();
  expect(server.status().connected).toBe(false);
});
