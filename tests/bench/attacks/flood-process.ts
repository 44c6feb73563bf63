import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FloodTarget } from './flood.ts';

/** After a refusal, as a client without manners waits. */
const pauseMs = 20;

const statuses: Record<string, number> = {};
const agent = new Agent({ keepAlive: true });
let isStopped = false;

const send = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: readonly Uint8Array[],
): Promise<number> => {
  const length = body.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const request = httpRequest(url, {
    agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
  });
  // A refusal may come while the body is still being sent.
  request.on('error', () => undefined);
  for (const piece of body) request.write(piece);
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  for await (const _chunk of response);
  return response.statusCode ?? 0;
};

const flood = async ({ url, shared, connections }: FloodTarget): Promise<void> => {
  // Made once: the attacker shares the machine with the system, and has to leave it as much of it as may be.
  const sharedBytes = Buffer.from(shared);
  await Promise.all(
    connections.map(async ({ headers, bodies }) => {
      const prepared = bodies.map((body) =>
        body.split(sharedMark).flatMap((piece, index) => [...(index === 0 ? [] : [sharedBytes]), Buffer.from(piece)]),
      );
      for (let sent = 0; !isStopped; sent += 1) {
        const status = await send(url, headers, prepared[sent % prepared.length] ?? []).catch(() => 0);
        if (isStopped) return;
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status !== 200) await delay(pauseMs);
      }
    }),
  );
};

const sharedMark = '"@"';

process.once('message', (target: FloodTarget) => {
  process.once('message', () => {
    isStopped = true;
    agent.destroy();
    process.send?.(statuses, () => process.exit());
  });
  process.send?.('begun');
  void flood(target);
});
