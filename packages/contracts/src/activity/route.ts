import { z } from 'zod';
import { exampleIds } from '../agent/examples.ts';
import { ifNoneMatch, liveCacheHeaders } from '../http/headers.ts';
import { queryInteger } from '../http/query-integer.ts';
import { answer, route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { onWire } from '../wire-form.ts';
import { activity } from './rpc.ts';

const activityWire = onWire(activity).meta({ id: 'Activity', description: 'What happened lately in production.' });

const exampleActivity: z.infer<typeof activityWire> = {
  at: '2026-01-15T09:31:12.000Z',
  since: '2026-01-14T00:00:00.000Z',
  newest: [{ agent_id: exampleIds.buyer, org_name: null, trust_score: 40, registered_at: '2026-01-15T09:00:00.000Z' }],
  movers_since: '2026-01-14T00:00:00.000Z',
  rising: [
    { agent_id: exampleIds.translator, org_name: 'Globex', previous_score: 75, trust_score: 78, change_count: 2 },
  ],
  falling: [],
  days: [
    { day: '2026-01-14', registrations: 0, calls: 12, reviews: 4 },
    { day: '2026-01-15', registrations: 1, calls: 3, reviews: 1 },
  ],
};

export const getActivityRoute = route({
  method: 'GET',
  path: '/activity',
  operationId: 'getActivity',
  summary: 'What happened lately: newest agents, biggest movers, calls and reviews by day',
  description:
    'Of production alone, whichever key asks, and of agents with an endpoint alone. Movers are agents whose trust_score at the end differs from that at ' +
    `the beginning. The answer is put together at most once in ${limits.activityHeldSeconds} seconds: at says when.`,
  tag: 'Discover',
  credentials: ['none', 'organisation'],
  organisationScope: 'read',
  closedBy: 'PUBLIC_READS',
  query: z.object({
    days: queryInteger(1, limits.activityDaysMax, limits.activityDaysDefault, 'UTC days, today included.'),
  }),
  headers: ifNoneMatch,
  answers: {
    200: answer('The activity.', activityWire, exampleActivity, { headers: liveCacheHeaders }),
    304: { description: 'The answer of If-None-Match is still current.', body: null, headers: liveCacheHeaders },
  },
});
