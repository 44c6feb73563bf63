/**
 * Bugs meant: an answer that comes a byte at a time costs an object for each byte, a hundred times its size, until it is whole, or until
 * somebody reads it.
 * Method: the memory that is still held just before the end of such an answer, or while nobody reads it, after a collection.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { readBytes, type ResponseBody, wrapBody } from './response-body.ts';
import { client, serve, serveRaw, text } from './testing/loopback.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heldBytes = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const bodyOf = (chunks: AsyncGenerator<Uint8Array>): ResponseBody =>
  wrapBody(
    Object.assign(chunks, { destroy: () => undefined }),
    Number.POSITIVE_INFINITY,
    () => undefined,
    () => undefined,
  );

it('holds little more than its bytes of an answer in single bytes', async () => {
  const count = 1_000_000;
  const block = Buffer.alloc(65_536, 'abc');
  const before = heldBytes();
  let held = 0;
  const bytes = await readBytes(
    bodyOf(
      (async function* () {
        for (let at = 0; at < count; at += 1) yield block.subarray(at % block.length, (at % block.length) + 1);
        held = heldBytes() - before;
      })(),
    ),
  );
  expect(bytes.length).toBe(count);
  expect(held).toBeLessThan(20 * count);
});

it.each([0, 1, 1_023, 1_024, 1_025, 5_000])('joins %i chunks of different sizes', async (count) => {
  const chunks = Array.from({ length: count }, (_, index) => Buffer.alloc(index % 7, String(index % 10)));
  const bytes = await readBytes(
    bodyOf(
      (async function* () {
        yield* chunks;
      })(),
    ),
  );
  expect(Buffer.from(bytes).equals(Buffer.concat(chunks))).toBe(true);
});

it('holds little of answers in single bytes that nobody reads', async () => {
  const streams = 40;
  const flood = Buffer.from('1\r\na\r\n'.repeat(100_000));
  const sent: Promise<void>[] = [];
  const url = await serveRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    sent.push(new Promise((resolve) => void socket.write(flood, () => resolve())));
  });
  const small = await serve((_, response) => void response.end('x'));
  const fetch = client();
  await text(fetch, small);
  const before = heldBytes();
  const answers = [];
  // One piece is read, as by a reader that stops.
  for (let count = 0; count < streams; count += 1) {
    const { body } = await fetch(url);
    const pieces = body[Symbol.asyncIterator]();
    expect((await pieces.next()).done).toBe(false);
    answers.push({ body, pieces });
  }
  await Promise.all(sent);
  // Turns enough for whatever is going to be read of them: all is in this process.
  for (let turn = 0; turn < 100; turn += 1) await text(fetch, small);
  const perStream = (heldBytes() - before) / streams;
  expect(perStream).toBeLessThan(600 * 1024);
  for (const { body } of answers) body.cancel();
});
