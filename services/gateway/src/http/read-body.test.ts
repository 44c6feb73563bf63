/**
 * Bug: a body in chunks of single bytes costs an object for each byte, a hundred times its size, and is read before its sender is
 * authenticated. Method: the memory in use just before the end of such a body, after a garbage collection, over a real socket.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { runs } from '@agent-trust/test-kit/runs';
import { waitFor } from '@agent-trust/test-kit';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { heldBytes } from '@agent-trust/test-kit/held-bytes';
import { takeJsonBodies } from './read-body.ts';
import { addEndpoint } from './routes.ts';
import type { Endpoint } from './endpoint.ts';
import type { Gateway } from '../gateway.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const bodyLimit = runs(64, 256) * 1024;

/** A server with one route for a JSON body and one without a body, and the data that it has received. */
const serve = async (): Promise<{ send: (text: string) => Promise<void>; socket: Socket; answer: () => string }> => {
  const app: FastifyInstance = fastify({ bodyLimit });
  app.decorateRequest('heldBody', null);
  takeJsonBodies(app);
  app.post('/whole', (request: FastifyRequest) => Promise.resolve({ chars: (request.body as string).length }));
  addEndpoint(
    app,
    {} as Gateway,
    {
      route: { method: 'POST', path: '/none', operationId: 'none', credentials: [], bodyBytesMax: bodyLimit },
      options: {},
      run: ({ body }: FastifyRequest) => Promise.resolve({ body: body ?? null }),
    } as unknown as Endpoint,
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  cleanups.push(() => app.close());
  let received: Socket | undefined;
  app.server.on('connection', (socket: Socket) => (received = socket));
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  cleanups.push(() => socket.destroy());
  await once(socket, 'connect');
  let sent = 0;
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  return {
    socket,
    answer: () => answer,
    send: async (text) => {
      socket.write(text);
      sent += text.length;
      await waitFor(() => received?.bytesRead === sent, { description: 'the server has read all' });
    },
  };
};

const head = (path: string, ...headers: string[]): string =>
  [`POST ${path} HTTP/1.1`, 'host: x', 'content-type: application/json', 'connection: close', ...headers, '', ''].join(
    '\r\n',
  );
const chunked = 'transfer-encoding: chunked';
const count = bodyLimit - 12_000;
const inSingleBytes = (bytes: number): string => '1\r\nx\r\n'.repeat(bytes);

describe('a body in single bytes', () => {
  it.each(['/whole', '/none'])('takes little more memory than its size while it is read: %s', async (path) => {
    const { send, socket, answer } = await serve();
    await send(`${head(path, chunked)}1\r\n"\r\n`);
    const before = heldBytes();
    await send(inSingleBytes(count));
    expect(heldBytes() - before).toBeLessThan(20 * count);
    socket.write('1\r\n"\r\n0\r\n\r\n');
    await once(socket, 'close');
    expect(answer()).toMatch(/^HTTP\/1.1 200 /u);
    expect(answer()).toContain(path === '/whole' ? `{"chars":${count}}` : '{"body":null}');
  });

  it.each(['/whole', '/none'])('is refused beyond the limit: %s', async (path) => {
    const { socket, answer } = await serve();
    socket.write(head(path, chunked) + inSingleBytes(bodyLimit + 1));
    await once(socket, 'close');
    expect(answer()).toMatch(/^HTTP\/1.1 413 /u);
    expect(answer()).toContain('FST_ERR_CTP_BODY_TOO_LARGE');
  });
});

describe('a body whose length is declared', () => {
  it.each(['/whole', '/none'])('is refused before it is sent if it is too long: %s', async (path) => {
    const { socket, answer } = await serve();
    socket.write(head(path, `content-length: ${bodyLimit + 1}`));
    await once(socket, 'close');
    expect(answer()).toMatch(/^HTTP\/1.1 413 /u);
  });

  it.each([0, 1, bodyLimit - 2])('is read to its end and no further: %i characters', async (length) => {
    const { socket, answer } = await serve();
    socket.write(`${head('/whole', `content-length: ${length + 2}`)}"${'x'.repeat(length)}"`);
    await once(socket, 'close');
    expect(answer()).toContain(`{"chars":${length}}`);
  });
});
