import { z } from 'zod';
import { route } from './http/route.ts';
import { partStatus } from './rpc/status.ts';

const healthBody = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']),
    database: partStatus,
    event_log: partStatus,
    message_bus: partStatus,
    projection: partStatus.extend({
      position: z.string().nullable(),
      head_position: z.string().nullable(),
      lag: z.number().nullable(),
    }),
  })
  .meta({ id: 'Health' });

export const healthRoute = route({
  method: 'GET',
  path: '/health',
  operationId: 'health',
  summary: 'State of the service and of what it depends on',
  tag: 'Operations',
  credentials: ['none'],
  answers: {
    200: { description: 'The database answers.', body: healthBody },
    503: { description: 'The database does not answer, or cannot be asked.', body: healthBody },
  },
  errors: [],
});
