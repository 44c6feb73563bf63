/** Servers on loopback and clients for them; all are closed after each test. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import type { Timeouts } from '../limits.ts';
import { OutboundError } from '../outbound-error.ts';
import { readBytes } from '../response-body.ts';
import { createSafeFetch, type OutboundRequest, type SafeFetch } from '../safe-fetch.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export async function serve(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(listener))}`;
}

/** Runs `answer` on the socket of every connection after its first bytes. */
export async function serveRaw(answer: (socket: Socket) => void): Promise<string> {
  return `http://127.0.0.1:${await listen(createTcpServer((socket) => void socket.once('data', () => answer(socket))))}`;
}

export function client(
  options: { allow?: string; timeouts?: Partial<Timeouts>; resolve?: (host: string) => Promise<string[]> } = {},
): SafeFetch {
  const fetch = createSafeFetch({ allow: '127.0.0.0/8', ...options });
  cleanups.push(() => fetch.close());
  return fetch;
}

export async function text(fetch: SafeFetch, url: string, request?: OutboundRequest): Promise<string> {
  return Buffer.from(await readBytes((await fetch(url, request)).body)).toString();
}

export async function failure(work: Promise<unknown>): Promise<OutboundError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (error instanceof OutboundError) return error;
  throw new Error('it did not fail as an OutboundError', { cause: error });
}
