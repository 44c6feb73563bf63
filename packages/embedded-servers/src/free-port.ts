import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer, isIPv6 } from 'node:net';

/**
 * Below the ranges for outgoing connections of Linux (32768) and other systems (49152): a free port of those may be taken before it is listened on.
 */
const lowest = 20_000;
const highest = 25_999;
const attemptsMax = 200;

/**
 * What holds each claimed port for this process: the UDP port of the same number, which none of the servers uses. The operating system lets only
 * one process have it, and takes it back however the process ends. The oldest is given up when there are too many.
 */
const claims = new Map<number, () => void>();
const claimsMax = 500;

/**
 * A TCP port that is free, and that no other call gives while this process lives, in this process or another: a server may listen on it later, and
 * again after a restart. A program that chooses its ports by itself may still take it first.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const port = randomInt(lowest, highest + 1);
    if (claims.has(port)) continue;
    const release = await claim(port, host);
    if (release === undefined) continue;
    if (await isPortFree(port, host)) {
      const [oldest] = claims.size >= claimsMax ? claims : [];
      if (oldest !== undefined) {
        claims.delete(oldest[0]);
        oldest[1]();
      }
      claims.set(port, release);
      return port;
    }
    release();
  }
  throw new Error(`no free TCP port from ${lowest} to ${highest} for ${host}`);
}

/** Undefined if another has it. */
function claim(port: number, host: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    socket.once('error', () => {
      socket.close();
      resolve(undefined);
    });
    socket.bind({ port, address: host, exclusive: true }, () => resolve(() => socket.close()));
    socket.unref();
  });
}

export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
