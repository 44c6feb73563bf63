import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on loopback that no redirect or endpoint may reach. */
export type Canary = { url: string; visits: () => number; stop: () => void };

export async function startCanary(): Promise<Canary> {
  let visits = 0;
  const server = createServer((_request, response) => {
    visits += 1;
    response.end('reached');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret`,
    visits: () => visits,
    stop: () => void server.close(),
  };
}
