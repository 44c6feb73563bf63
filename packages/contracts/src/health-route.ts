import { z } from 'zod';
import { noStore } from './http/headers.ts';
import { answer, route } from './http/route.ts';
import { followerStatus, partStatus } from './rpc/status.ts';
import { onWire } from './wire-form.ts';

const part = partStatus.meta({ id: 'PartStatus', description: 'State of one part.' });

const following = onWire(followerStatus);

export const healthBody = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']).describe('ok while the database answers.'),
    database: part,
    event_log: part,
    message_bus: part,
    jetstream: part.describe(
      'What the bus remembers: answers to requests with a key, nonces of signatures, rate limits.',
    ),
    registry_write: part.describe('Whether anything carries out commands.'),
    projection: following.meta({ id: 'ProjectionStatus', description: 'State of what readers see.' }),
    log_record: following.optional().meta({ id: 'LogRecordStatus', description: 'State of the index over the log.' }),
  })
  .meta({ id: 'Health', description: 'State of the service and of each part that it depends on.' });

export const healthyExample: z.infer<typeof healthBody> = {
  status: 'ok',
  database: { status: 'ok' },
  event_log: { status: 'ok' },
  message_bus: { status: 'ok' },
  jetstream: { status: 'ok' },
  registry_write: { status: 'ok' },
  projection: { status: 'ok', position: '1042', head_position: '1042', lag: 0 },
  log_record: { status: 'ok', position: '1042', head_position: '1042', lag: 0 },
};
const unreachable = { status: 'down', detail: 'cannot be asked' } as const;
const { log_record: _notAsked, ...others } = healthyExample;
const unhealthy: z.infer<typeof healthBody> = {
  ...others,
  status: 'down',
  database: unreachable,
  event_log: unreachable,
  projection: { ...unreachable, position: null, head_position: null, lag: null },
};

export const healthRoute = route({
  method: 'GET',
  path: '/health',
  operationId: 'health',
  summary: 'State of the service and of what it depends on',
  description: 'For probes and people. While the database answers, other parts may be down.',
  tag: 'Operations',
  credentials: ['none'],
  // Probes of a container call it by its address.
  anyHost: true,
  answers: {
    200: answer('The database answers.', healthBody, healthyExample, { headers: noStore }),
    503: answer('The database does not answer, or cannot be reached.', healthBody, unhealthy, { headers: noStore }),
  },
});
