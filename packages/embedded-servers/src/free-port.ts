import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Finds a TCP port of the loopback interface that nothing listens on right now.
 * Another process may take it before the caller does, so whoever uses it must be ready to try another.
 */
export const freePort = async (host = '127.0.0.1'): Promise<number> => {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error(`no TCP port for ${host}`);
  return address.port;
};

/** Says whether `port` on `host` can be listened on now. */
export const isPortFree = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
