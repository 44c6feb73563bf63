import { z } from 'zod';
import { answer, route } from '../http/route.ts';
import { operatorRoute } from '../operator/operator-route.ts';
import { moment, positionText } from '../text.ts';

const perStep = z.array(z.int().nullable());
const stepsText = 'for each step, oldest first; null for a step of which nothing is known';

const rates = z
  .object({
    requests: perStep.describe(`Requests answered, ${stepsText}.`),
    calls: perStep.describe(`Those to POST /call, ${stepsText}.`),
    verifies: perStep.describe(`Those to POST /verify and /verify/batch, ${stepsText}.`),
    refusals: z
      .array(
        z.object({
          code: z.string().describe("The error's code."),
          counts: perStep.describe(`Requests answered with it, ${stepsText}.`),
        }),
      )
      .describe('Requests answered with an error, by code; codes without any are left out.'),
  })
  .meta({ id: 'Rates', description: 'What was counted in the last quarter of an hour.' });
export type Rates = z.infer<typeof rates>;

const lagPoint = z
  .object({
    position: positionText.nullable().describe('How far the read models were; null if they had read nothing.'),
    head_position: positionText.nullable().describe('How far the log went; null if it was empty.'),
    lag: z.int().describe('The distance between the two.'),
  })
  .meta({ id: 'LagPoint', description: 'How far the read models were behind the log.' });

const operationsRates = z
  .object({
    checked_at: moment('When this was asked'),
    step_seconds: z.int().describe('Length of a step.'),
    since: moment('Where the first step begins'),
    sum: rates.describe('Of all gateways that answered.'),
    gateways: z
      .array(
        z.object({ instance_id: z.string().describe('Its INSTANCE_ID.'), rates: rates.describe('Of this gateway.') }),
      )
      .describe('Each gateway that answered in time.'),
    projection: z
      .object({
        instance_id: z
          .string()
          .describe('The instance of trust-projection that looked: the active one if it answered.'),
        points: z.array(lagPoint.nullable()).describe(`Where both were, ${stepsText}.`),
      })
      .nullable()
      .describe('Log head and read models over the same time; null if no instance answered.'),
  })
  .meta({ id: 'OperationsRates', description: 'What happened in the last quarter of an hour.' });
export type OperationsRates = z.infer<typeof operationsRates>;

const exampleRates: Rates = {
  requests: [null, 120, 90],
  calls: [null, 12, 9],
  verifies: [null, 88, 61],
  refusals: [{ code: 'rate_limited', counts: [null, 0, 3] }],
};

export const getOperationsRatesRoute = route({
  ...operatorRoute,
  method: 'GET',
  operatorRole: 'viewer',
  path: '/ops/rates',
  operationId: 'getOperationsRates',
  summary: 'Calls, verifies, refusals and the lag over the last quarter of an hour',
  description:
    'In steps of 15 seconds, by gateway and summed, as each process remembers it: a restart begins anew. The step that is running is not shown. ' +
    'For more, and for longer, let Prometheus read the metrics.',
  answers: {
    200: answer('The last quarter of an hour.', operationsRates, {
      checked_at: '2026-01-16T08:00:47.000Z',
      step_seconds: 15,
      since: '2026-01-16T08:00:00.000Z',
      sum: exampleRates,
      gateways: [{ instance_id: 'gateway-1', rates: exampleRates }],
      projection: {
        instance_id: 'trust-projection-1',
        points: [
          null,
          { position: '4708', head_position: '4711', lag: 3 },
          { position: '4715', head_position: '4715', lag: 0 },
        ],
      },
    } satisfies OperationsRates),
  },
});
