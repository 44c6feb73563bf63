import type { IncomingMessage, RequestListener } from 'node:http';
import { edgeLimits } from '../limits.ts';
import { isLongBody } from './held-body.ts';
import { createPace } from './pace.ts';

/**
 * Passes requests on, and deals with what clients go on sending of a long body when they have got their answer, mostly a refusal. Many clients
 * read an answer only when they have sent all, and a reset would lose it. So the rest is read and dropped, but slowly: otherwise whoever is
 * refused would still cost as much as a body of 10 MiB does. Clients that read at once end the connection themselves.
 */
export function dropRestsSlowly(listener: RequestListener, stopping: AbortSignal): RequestListener {
  const { bytesPerSecond, bytesMax, bodiesMax } = edgeLimits.rests;
  const pace = createPace(bytesPerSecond)('all');
  const dropped = new Set<IncomingMessage>();
  const end = (body: IncomingMessage): void => void body.socket.destroy();
  stopping.addEventListener('abort', () => {
    for (const body of dropped) end(body);
  });

  const drop = (body: IncomingMessage): void => {
    if (body.complete || body.destroyed) return;
    const [oldest] = dropped;
    if (oldest !== undefined && dropped.size >= bodiesMax) end(oldest);
    dropped.add(body);
    const { socket } = body;
    const forget = (): void => {
      dropped.delete(body);
      socket.off('close', forget);
    };
    // Node no longer tells a request that has its answer of the end of its connection.
    socket.on('close', forget);
    body.once('end', forget);
    let bytes = 0;
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) end(body);
    });
    pace.slow(body);
    body.resume();
  };

  return (request, response) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    // Earlier than 'finish', when Node begins to read such a rest itself.
    if (coding !== undefined || isLongBody(Number(length ?? 0))) response.once('prefinish', () => drop(request));
    listener(request, response);
  };
}
