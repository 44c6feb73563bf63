import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { method: string; url: string; headers: IncomingHttpHeaders; body: string };
export type Respond = (response: ServerResponse, received: Received) => void;

export type RegistryServer = {
  url: string;
  received: Received[];
  /** Answers to the next requests, in order; the last one is repeated. */
  answers: Respond[];
  stop(): void;
};

/** A server with scripted answers in place of the registry: for behaviour that a working registry does not show. */
export async function startRegistryServer(): Promise<RegistryServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      running.received.push(received);
      const [next] = running.answers;
      if (running.answers.length > 1) running.answers.shift();
      next?.(response, received);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const running: RegistryServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answers: [],
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return running;
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Respond {
  return (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'request-1', ...headers })
      .end(JSON.stringify(body));
}

export function refuse(
  status: number,
  code: string,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Respond {
  return json(status, { detail: `told as ${code}`, code, request_id: 'request-1', ...more }, headers);
}

/** Accepts the request and breaks the connection. */
export const breakOff: Respond = (response) => void response.destroy();
/** Accepts the request and never answers. */
export const stayMute: Respond = () => {};
