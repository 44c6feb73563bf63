import { z } from 'zod';
import { exampleIds } from '../agent/examples.ts';
import { answer, type Route, route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { operatorRoute } from '../operator/operator-route.ts';
import { onWire } from '../wire-form.ts';
import { demo } from './rpc.ts';

const demoWire = onWire(demo).meta({ id: 'Demo', description: 'How the demo goes, or went.' });

const exampleStarted: z.infer<typeof demoWire> = {
  state: 'running',
  requested_by: 'operator alice',
  started_at: '2026-01-15T09:30:00.000Z',
  ended_at: null,
  steps: [],
  error: null,
};
const exampleRunning: z.infer<typeof demoWire> = {
  ...exampleStarted,
  steps: [
    {
      kind: 'reviewed',
      at: '2026-01-15T09:30:07.310Z',
      text: `${exampleIds.buyer} reviews ${exampleIds.translator} 10/10, success: trust 40 → 55 (abort → proceed_with_limits)`,
      details: ['prior 40 (weight 8) gives 40.00', 'together 55.00'],
      agent_id: exampleIds.translator,
      caller_agent_id: exampleIds.buyer,
      transaction_id: exampleIds.transaction,
      trust_score: 55,
      trust_score_before: 40,
      recommended_action: 'proceed_with_limits',
    },
  ],
};
const absentElsewhere = 'Only `npm start` plays it; any other registry answers 404.';

export const playDemoRoute = route({
  ...operatorRoute,
  path: '/ops/demo',
  operationId: 'playDemo',
  summary: 'Play the demo',
  description:
    'Lets real agents register, call and review each other in this registry, as `npm run demo` does, and shows each step while it happens. ' +
    `The agents stay. One demo runs at a time. ${absentElsewhere}`,
  body: z
    .strictObject({
      pause_ms: z
        .int()
        .min(0)
        .max(limits.demoPauseMsMax)
        .default(limits.demoPauseMsDefault)
        .describe('How long it rests after each step, so that people can follow.'),
    })
    .meta({ id: 'DemoRequest', description: 'How to play it.' }),
  bodyExamples: { usual: { summary: 'At a pace to follow', value: { pause_ms: limits.demoPauseMsDefault } } },
  answers: { 202: answer('It begins: GET /ops/demo shows how it goes.', demoWire, exampleStarted) },
  errors: ['demo_absent', 'demo_in_progress'],
});

export const getDemoRoute = route({
  ...operatorRoute,
  method: 'GET',
  operatorRole: 'viewer',
  path: '/ops/demo',
  operationId: 'getDemo',
  summary: 'The demo: its state and its steps so far',
  description: `Of the one that runs, or else of the last one. ${absentElsewhere}`,
  answers: { 200: answer('The demo.', demoWire, exampleRunning) },
  errors: ['demo_absent'],
});

/** In the order of the OpenAPI document. */
export const demoRoutes: readonly Route[] = [playDemoRoute, getDemoRoute];
