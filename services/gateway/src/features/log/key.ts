import { getLogKey, logKeyRoute, logKeyToWire } from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const logKey: Endpoint = endpoint(logKeyRoute, async ({ request, reply }, gateway) => {
  const key = await ask(gateway, request, getLogKey, {});
  reply.header('cache-control', 'public, max-age=300');
  return logKeyToWire(key);
});
