import { followerStatus, getStatus, type healthBody, healthRoute, toWire } from '@agent-trust/contracts';
import { RpcError } from '@agent-trust/nats-rpc';
import type { z } from 'zod';
import { ask, type Origin } from '../../bus/ask.ts';
import type { Gateway } from '../../gateway.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { edgeLimits } from '../../limits.ts';
import { edgeParts } from './edge-parts.ts';

/** State of the registry and of its parts, as this gateway finds it. Never rejects for a part that does not answer. */
export async function registryHealth(
  gateway: Gateway,
  request: Origin,
): Promise<{ isUp: boolean; body: z.output<typeof healthBody> }> {
  const asked = ask(gateway, request, getStatus, {}, edgeLimits.healthTimeoutMs);
  asked.catch(() => undefined);
  const parts = await edgeParts(gateway);
  try {
    const { database, eventLog, projection, logRecord } = await asked;
    const isUp = database.status !== 'down';
    const body = {
      status: isUp ? ('ok' as const) : ('down' as const),
      database,
      event_log: eventLog,
      ...parts,
      projection: toWire(followerStatus, projection),
      ...(logRecord === undefined ? {} : { log_record: toWire(followerStatus, logRecord) }),
    };
    return { isUp, body };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const unknown = { status: 'down' as const, detail: 'cannot be asked' };
    const projection = { ...unknown, position: null, head_position: null, lag: null };
    return { isUp: false, body: { status: 'down', database: unknown, event_log: unknown, ...parts, projection } };
  }
}

/** 200 with `ok` if the database answers, as specified; the parts report other faults. */
export const health: Endpoint = endpoint(healthRoute, async ({ request, reply }, gateway) => {
  reply.header('cache-control', 'no-store');
  const { isUp, body } = await registryHealth(gateway, request);
  reply.code(isUp ? 200 : 503);
  return body;
});
