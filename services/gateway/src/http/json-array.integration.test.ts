// The bug: a client that reads nothing holds a listing's place, and its stretch, for ever. Method: a server whose listing never ends, a
// client that stops reading.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { jsonArrayText, sendJsonArray } from './json-array.ts';

const textOf = async (stretches: readonly (readonly unknown[])[]): Promise<string> => {
  const source = async function* () {
    yield* stretches;
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
])('%j is %s', async (stretches: unknown[][], text) => {
  expect(await textOf(stretches)).toBe(text);
});

it('a client that takes nothing is cut off, and what was read for it is let go', async () => {
  const app = fastify();
  let isLeft = false;
  let stretches = 0;
  const endless = async function* () {
    try {
      for (;;) {
        stretches += 1;
        yield ['x'.repeat(1024 * 1024)];
      }
    } finally {
      isLeft = true;
    }
  };
  app.get('/', (_request, reply) => sendJsonArray(reply, endless(), () => undefined, 200));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  // Nobody reads from the socket: its buffers fill, and then nothing moves any more.
  client.pause();
  const [socket] = (await once(app.server, 'connection')) as [Socket];
  await once(socket, 'close');
  await app.close();
  client.destroy();
  expect([isLeft, stretches < 64]).toEqual([true, true]);
});
