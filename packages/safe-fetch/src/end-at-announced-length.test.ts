/**
 * Bug: the answer of an agent that closes its connection right after it is reported as broken off if the reader is slow.
 * Method: answers are sent completely and closed, and nothing is read before the agent has seen the connection end.
 */
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { readBytes } from './response-body.ts';
import { client, failure, serveRaw } from './testing/loopback.ts';

const head = (length: number): string => `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`;

/** Sends a request, waits until the connection is over, and only then reads. */
const readLate = async (announced: number, sent: number): Promise<Uint8Array> => {
  const over = Promise.withResolvers<void>();
  const url = await serveRaw((socket) => {
    void once(socket.resume(), 'close').then(() => over.resolve());
    socket.end(Buffer.concat([Buffer.from(head(announced)), Buffer.alloc(sent, 'x')]));
  });
  const { body } = await client()(url);
  await over.promise;
  return readBytes(body);
};

describe('an answer whose connection closes right after it, and whose reader is slow', () => {
  it.each([1, 1_000, 60_000, 65_000, 65_400, 65_536, 70_000])('is whole with all %i announced bytes', async (bytes) => {
    for (let time = 0; time < 5; time += 1) expect((await readLate(bytes, bytes)).byteLength).toBe(bytes);
  });

  it.each([2, 1_000, 65_000])('is broken off if one of %i bytes is missing', async (bytes) => {
    expect(await failure(readLate(bytes, bytes - 1))).toMatchObject({ kind: 'protocol' });
  });

  it('is not complete if this side cancelled it', async () => {
    const over = Promise.withResolvers<void>();
    const url = await serveRaw((socket) => {
      void once(socket.resume(), 'close').then(() => over.resolve());
      socket.write(`${head(70_000)}${'x'.repeat(70_000)}`);
    });
    const { body } = await client()(url, { timeouts: { totalMs: 100 } });
    await over.promise;
    expect(await failure(readBytes(body))).toMatchObject({ kind: 'timeout', reason: 'total_timeout' });
  });
});
