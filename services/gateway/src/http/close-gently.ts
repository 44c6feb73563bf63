import type { Server } from 'node:http';
import { edgeLimits } from '../limits.ts';

/**
 * Closes a server while a load balancer still has connections to it: it listens no more, serves what arrives on its open connections and ends
 * each with its answer (`createServer` adds `connection: close`), and ends the idle ones only after `stopIdleMs`. A load balancer that had just
 * written a request on an idle connection when it was closed could not know whether the request was carried out, and would fail it.
 * @param close stops listening; resolves when every connection is closed
 * @param graceMs connections that are still open after it are cut off
 */
export async function closeGently(server: Server, close: () => Promise<unknown>, graceMs: number): Promise<void> {
  const closeIdle = server.closeIdleConnections.bind(server);
  // Node calls it at the moment that the server stops listening.
  server.closeIdleConnections = () => undefined;
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
  // Repeated: a connection that is busy now is idle after its answer.
  let reaper: NodeJS.Timeout | undefined;
  const patience = setTimeout(
    () => {
      // After a turn of the event loop: a request that has arrived while the process stood still is read first, so its connection is not idle.
      reaper = setInterval(() => setImmediate(closeIdle), edgeLimits.stopPollMs);
    },
    Math.min(edgeLimits.stopIdleMs, graceMs / 2),
  );
  try {
    await close();
  } finally {
    clearTimeout(cutOff);
    clearTimeout(patience);
    clearInterval(reaper);
    server.closeIdleConnections = closeIdle;
  }
}
