import { z } from 'zod';
import { healthBody, healthyExample } from '../health-route.ts';
import { answer, route, type Route } from '../http/route.ts';
import { moment, nullableMoment, nullableText, positionText } from '../text.ts';
import { operatorRoute } from '../operator/operator-route.ts';
import { onWire } from '../wire-form.ts';
import { getOperationsRatesRoute } from './rates-route.ts';
import { logWitness, replay, signedCheckpoint, webhookBacklog } from './rpc.ts';

export const replayWire = onWire(replay).meta({ id: 'Replay', description: 'A replay of the read models.' });

const replayId = '5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b';
const asked = {
  replay_id: replayId,
  accept_differences: false,
  policy: null,
  requested_by: 'admin',
  instance_id: 'trust-projection-1',
  requested_at: '2026-01-16T08:00:00.000Z',
};
const exampleRunning: z.infer<typeof replayWire> = {
  ...asked,
  state: 'running',
  started_at: '2026-01-16T08:00:01.204Z',
  ended_at: null,
  progress: {
    phase: 'build',
    events: 120_000,
    events_total: 400_000,
    fraction: 0.3,
    events_per_second: 9_800,
    remaining_seconds: 28.6,
  },
  result: null,
  error: null,
};
const exampleStarting: z.infer<typeof replayWire> = {
  ...exampleRunning,
  state: 'starting',
  started_at: null,
  progress: null,
};
const exampleStopped: z.infer<typeof replayWire> = {
  ...exampleRunning,
  state: 'stopped',
  ended_at: '2026-01-16T08:00:14.020Z',
};
const exampleSwitched: z.infer<typeof replayWire> = {
  ...exampleRunning,
  state: 'switched',
  ended_at: '2026-01-16T08:00:51.420Z',
  result: {
    events: 400_000,
    duration_ms: 50_216,
    events_per_second: 9_730,
    position: '400000',
    switched: true,
    comparison: { position: '399871', rows: 1_204_331, rows_differing: 0, tables: [] },
    activation: null,
  },
};
/** A replay that puts a trust policy in force. */
export const exampleActivation: z.infer<typeof replayWire> = { ...exampleStarting, policy: 'strict-2026' };

const instance = z.object({
  service: z.string().describe('Which service.'),
  instance_id: z.string().describe('Its INSTANCE_ID.'),
  version: z.string().describe('The version that it runs.'),
  started_at: moment('Since when it runs'),
  role: z
    .enum(['active', 'standby'])
    .nullable()
    .describe('Of trust-projection: whether it writes the read models; null where all instances work alike.'),
  fault: nullableText.describe('What is wrong with it; null if nothing is.'),
});

const operationsStatus = z
  .object({
    checked_at: moment('When this was asked'),
    health: healthBody.describe('The answer of GET /health.'),
    instances: z.array(instance).describe('Instances that answered in time, by service.'),
    services_missing: z.array(z.string()).describe('Services of which no instance has answered.'),
    lag_seconds: z
      .number()
      .nullable()
      .describe(
        'How long the oldest event that the read models do not have yet has been in the log: 0 if they have all, null if it is unknown.',
      ),
    poison_event: z
      .object({
        position: positionText.describe('Log position of the event.'),
        message: z.string().describe('Why it cannot be applied.'),
        instance_id: z.string().describe('The instance that writes the read models, and stopped there.'),
      })
      .nullable()
      .describe('The event at which the read models stopped, since it cannot be applied; null if there is none.'),
    checkpoint: onWire(signedCheckpoint)
      .extend({
        witnessed_at: nullableMoment('When a witness last cosigned a checkpoint that this log begins with'),
      })
      .nullable()
      .describe('The newest signed head of the log; null if none was signed. It is signed when somebody asks for one.'),
    witnesses: z
      .array(onWire(logWitness))
      .nullable()
      .describe('The witnesses of LOG_WITNESSES, by what they publish; null if that is unknown.'),
    webhooks: onWire(webhookBacklog).nullable().describe('What waits to be sent; null if it is unknown.'),
    replay: replayWire.nullable().describe('The replay that is under way; null if there is none.'),
  })
  .meta({ id: 'OperationsStatus', description: 'State of the installation.' });

const exampleStatus: z.infer<typeof operationsStatus> = {
  checked_at: '2026-01-16T08:00:13.000Z',
  health: healthyExample,
  instances: [
    {
      service: 'trust-projection',
      instance_id: 'trust-projection-1',
      version: '1.0.0',
      started_at: '2026-01-15T07:12:09.511Z',
      role: 'active',
      fault: null,
    },
  ],
  services_missing: [],
  lag_seconds: 0,
  poison_event: null,
  checkpoint: {
    size: 1_042,
    signed_at: '2026-01-16T07:59:58.120Z',
    fault: null,
    witnessed_at: '2026-01-16T07:55:00.000Z',
  },
  witnesses: [
    {
      name: 'witness.example/w1',
      size: 1_040,
      cosigned_at: '2026-01-16T07:55:00.000Z',
      contradicts_log: false,
      fault: null,
    },
  ],
  webhooks: {
    webhooks: 3,
    disabled: 0,
    behind: 0,
    pending: 2,
    oldest_pending_at: '2026-01-16T07:58:11.204Z',
    dead_letters: 0,
  },
  replay: exampleRunning,
};

const viewed = { ...operatorRoute, method: 'GET', operatorRole: 'viewer' } as const;
const params = z.object({ replay_id: z.uuid().describe('Names the replay.') });

export const getOperationsStatusRoute = route({
  ...viewed,
  path: '/ops/status',
  operationId: 'getOperationsStatus',
  summary: 'State of the installation',
  description:
    'Which instances of which services run, with their versions; how far the read models are behind the log; what waits to be sent to webhooks; ' +
    'the newest signed checkpoint; a replay that is under way. Answers 200 whatever the state is: what cannot be asked is down or null.',
  answers: { 200: answer('The state.', operationsStatus, exampleStatus) },
});

export const startReplayRoute = route({
  ...operatorRoute,
  path: '/ops/replays',
  operationId: 'startReplay',
  summary: 'Replay the read models',
  description:
    'Builds the read models again from the first event, in a process of its own beside one instance of trust-projection, while the live ones serve. ' +
    'Compares every row and switches if all are equal, or if differences are accepted. One replay runs at a time, whoever started it; a switch of the trust policy is one.',
  body: z
    .strictObject({
      accept_differences: z
        .boolean()
        .default(false)
        .describe('Switch even if rows differ: the code of the projections was changed on purpose.'),
    })
    .meta({ id: 'ReplayRequest', description: 'How to replay.' }),
  bodyExamples: { usual: { summary: 'Switch only if all rows are equal', value: { accept_differences: false } } },
  answers: {
    202: answer('The replay begins: GET /ops/replays/{replay_id} shows how it goes.', replayWire, exampleStarting),
  },
  errors: ['replay_in_progress'],
});

export const listReplaysRoute = route({
  ...viewed,
  path: '/ops/replays',
  operationId: 'listReplays',
  summary: 'Replays of the read models',
  description:
    'Newest first, those of the command line and those that switch the trust policy included. The newest 50 are kept.',
  answers: { 200: answer('The replays.', z.array(replayWire), [exampleSwitched]) },
});

export const getReplayRoute = route({
  ...viewed,
  path: '/ops/replays/{replay_id}',
  operationId: 'getReplay',
  summary: 'A replay: its state, progress and result',
  description: 'The progress is renewed every second while it runs.',
  params,
  answers: { 200: answer('The replay.', replayWire, exampleRunning) },
  errors: ['replay_not_found'],
});

export const cancelReplayRoute = route({
  ...operatorRoute,
  method: 'DELETE',
  path: '/ops/replays/{replay_id}',
  operationId: 'cancelReplay',
  summary: 'Cancel a replay',
  description: 'Asks it to stop, wherever it runs: it does within seconds, and the live read models stay as they are.',
  params,
  answers: { 202: answer('It was asked to stop; its state says when it has.', replayWire, exampleStopped) },
  errors: ['replay_not_found', 'replay_ended'],
});

/** In the order of the OpenAPI document. */
export const operationsRoutes: readonly Route[] = [
  getOperationsStatusRoute,
  getOperationsRatesRoute,
  startReplayRoute,
  listReplaysRoute,
  getReplayRoute,
  cancelReplayRoute,
];
