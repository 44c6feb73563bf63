// Bug: a client that reads nothing, or very slowly, holds a listing's capacity, and its batch, forever. Method: a server with an endless listing;
// clients that stop reading, and clients that never stop.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { waitFor } from '@agent-trust/test-kit';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { jsonArrayText, sendJsonArray } from './json-array.ts';

const textOf = async (batches: readonly (readonly unknown[])[]): Promise<string> => {
  const source = async function* () {
    yield* batches;
  };
  let text = '';
  for await (const part of jsonArrayText(source())) text += part;
  return text;
};

it.each([
  [[], '[]'],
  [[[]], '[]'],
  [[[1, 'a'], [], [{ b: null }], []], '[1,"a",{"b":null}]'],
  [[[], [1], [2]], '[1,2]'],
])('%j is %s', async (batches: unknown[][], text) => {
  expect(await textOf(batches)).toBe(text);
});

it('a client that reads nothing is disconnected, and its batch is released', async () => {
  const app = fastify();
  let isLeft = false;
  let batches = 0;
  const endless = async function* () {
    try {
      for (;;) {
        batches += 1;
        yield ['x'.repeat(1024 * 1024)];
      }
    } finally {
      isLeft = true;
    }
  };
  app.get('/', (_request, reply) =>
    sendJsonArray(reply, endless(), () => undefined, { stallMs: 200, totalMs: 60_000 }),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  // The client does not read from its socket: the buffers fill, and then the flow stops.
  client.pause();
  const [socket] = (await once(app.server, 'connection')) as [Socket];
  await once(socket, 'close');
  await app.close();
  client.destroy();
  expect([isLeft, batches < 64]).toEqual([true, true]);
});

it('a client that reads forever is disconnected, and the log has the reason', async () => {
  const app = fastify();
  const heard: unknown[] = [];
  let isLeft = false;
  const endless = async function* () {
    try {
      for (;;) yield [await Promise.resolve('x')];
    } finally {
      isLeft = true;
    }
  };
  const broken = (error: unknown): void => void heard.push(error);
  app.get('/', (_request, reply) => sendJsonArray(reply, endless(), broken, { stallMs: 60_000, totalMs: 1_000 }));
  const short = async function* () {
    yield [1];
  };
  app.get('/short', (_request, reply) => sendJsonArray(reply, short(), broken, { stallMs: 60_000, totalMs: 1_000 }));
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  expect(await (await fetch(`${url}/short`)).text()).toBe('[1]');
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow('terminated');
  await app.close();
  await waitFor(() => isLeft, { description: 'the end of the listing' });
  // The short one ended in time, so the log does not mention it.
  expect(heard.map(String)).toEqual(['Error: the client had not read all of it after 1000 ms']);
});
