import { getLogCheckpoint, logCheckpointRoute } from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const logCheckpoint: Endpoint = endpoint(logCheckpointRoute, async ({ request, reply }, gateway) => {
  const { note } = await ask(gateway, request, getLogCheckpoint, {});
  return reply.header('cache-control', 'no-cache').type('text/plain; charset=utf-8').send(note);
});
