import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ranges for outgoing connections of Linux (32768) and other systems (49152): a free port of those may be taken before it is listened on.
 */
const lowest = 20_000;
const highest = 25_999;
const attemptsMax = 200;

/** Ports that this process has been given: two servers about to start must not get the same one. */
const given = new Set<number>();
const givenMax = 2_000;

/** A TCP port that is free and new to this process. Another process may take it first, so the caller must be ready to try another. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  if (given.size >= givenMax) given.clear();
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const port = randomInt(lowest, highest + 1);
    if (given.has(port) || !(await isPortFree(port, host))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no free TCP port from ${lowest} to ${highest} for ${host}`);
}

export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
