import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { FloodTarget } from './flood.ts';

/** After a refusal, as a client without manners waits. */
const pauseMs = 20;

const { url, connections } = workerData as FloodTarget;
const statuses: Record<string, number> = {};
const agent = new Agent({ keepAlive: true });
let isStopped = false;
parentPort?.once('message', () => {
  isStopped = true;
  agent.destroy();
});

const send = async (headers: Readonly<Record<string, string>>, body: string | Uint8Array): Promise<number> => {
  const request = httpRequest(url, {
    agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
  });
  // A refusal may come while the body is still being sent.
  request.on('error', () => undefined);
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  for await (const _chunk of response);
  return response.statusCode ?? 0;
};

await Promise.all(
  connections.map(async (connection) => {
    const { headers, body } = connection;
    const bodies = typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
    for (let sent = 0; !isStopped; sent += 1) {
      const status = await send(headers, bodies[sent % bodies.length] ?? '').catch(() => 0);
      if (isStopped) return;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status !== 200) await delay(pauseMs);
    }
  }),
);
parentPort?.postMessage(statuses);
