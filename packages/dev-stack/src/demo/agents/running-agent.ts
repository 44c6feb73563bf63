import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An agent that listens on loopback. */
export type RunningAgent = { url: string; requests: () => number; stop: () => Promise<void> };

/** Serves a listener on a free loopback port and counts its requests. */
export async function listen(listener: RequestListener, path = '/'): Promise<RunningAgent> {
  let requests = 0;
  const server: Server = createServer((request, response) => {
    requests += 1;
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    requests: () => requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
