import { followerStatus, getStatus, healthRoute, toWire } from '@agent-trust/contracts';
import { RpcError } from '@agent-trust/nats-rpc';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { edgeLimits } from '../../limits.ts';
import { edgeParts } from './edge-parts.ts';

/** 200 with `ok` if the database answers, as specified; the parts report other faults. */
export const health: Endpoint = endpoint(healthRoute, async ({ request, reply }, gateway) => {
  reply.header('cache-control', 'no-store');
  const asked = ask(gateway, request, getStatus, {}, edgeLimits.healthTimeoutMs);
  asked.catch(() => undefined);
  const parts = await edgeParts(gateway);
  try {
    const { database, eventLog, projection, logRecord } = await asked;
    const isUp = database.status !== 'down';
    reply.code(isUp ? 200 : 503);
    return {
      status: isUp ? 'ok' : 'down',
      database,
      event_log: eventLog,
      ...parts,
      projection: toWire(followerStatus, projection),
      ...(logRecord === undefined ? {} : { log_record: toWire(followerStatus, logRecord) }),
    };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const unknown = { status: 'down', detail: 'cannot be asked' };
    const projection = { ...unknown, position: null, head_position: null, lag: null };
    reply.code(503);
    return { status: 'down', database: unknown, event_log: unknown, ...parts, projection };
  }
});
