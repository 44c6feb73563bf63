import { z } from 'zod';
import { errorBody } from '../errors.ts';
import { pageHeaders, queryInteger, queryOffset } from '../http/query-integer.ts';
import { commandErrors, answer, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId } from '../text.ts';
import { exampleRegisteredWebhook, exampleWebhook, exampleWebhookDelivery } from './examples.ts';
import { webhookUrl } from './webhook-url.ts';
import { registeredWebhookWire, webhookDeliveryWire, webhookWire } from './wire-output.ts';

const params = z.object({ webhook_id: z.uuid().describe('Names the webhook.') });
const logPosition = z
  .string()
  .regex(/^\d{1,18}$/u, { message: 'must be a log position, decimal digits' })
  .meta({
    description: 'Log position of the first change that is told again; 0 is the beginning.',
    examples: ['48213'],
  });

export const registerWebhookRoute = route({
  method: 'POST',
  path: '/org/webhooks',
  operationId: 'registerWebhook',
  summary: 'Be told of changes of trust scores',
  description:
    "Every change of a trust score from now on is sent to url by POST: of all of the organisation's production agents, or of the " +
    'agents of production that are named. Messages are signed by the Standard Webhooks scheme, sent at least once with the same webhook-id, and in ' +
    `order for each agent. An organisation has at most ${limits.webhooksPerOrgMax} webhooks. ` +
    'After a 503 with secret in its body the webhook stands, or may: keep it.',
  tag: 'Webhooks',
  credentials: ['production_key'],
  secret: true,
  body: z
    .object({
      url: webhookUrl,
      agent_ids: z
        .array(agentId)
        .min(1)
        .max(limits.webhookAgentsMax)
        .nullish()
        .describe(
          "Agents whose changes are told, of whatever organisation. Absent or null: all of the organisation's own.",
        ),
    })
    .meta({ id: 'WebhookRequest', description: 'Where to send what.' }),
  bodyExamples: {
    all: { summary: "All of the organisation's agents", value: { url: exampleWebhook.url } },
    named: {
      summary: 'Two agents',
      value: { url: exampleWebhook.url, agent_ids: ['acme-translator', 'globex-buyer'] },
    },
  },
  answers: {
    201: answer('The webhook, with its secret, shown once.', registeredWebhookWire, exampleRegisteredWebhook),
  },
  errorBodies: {
    503: errorBody
      .extend(registeredWebhookWire.partial().shape)
      .meta({ id: 'WebhookRegisteredAnyway', description: 'A refusal after which the new webhook stands, or may.' }),
  },
  errorExamples: { read_model_behind: exampleRegisteredWebhook },
  errors: ['agent_not_found', 'webhook_url_not_allowed', 'webhook_limit_reached', ...commandErrors],
});

export const listWebhooksRoute = route({
  method: 'GET',
  path: '/org/webhooks',
  operationId: 'listWebhooks',
  summary: "An organisation's webhooks",
  description: 'Oldest first, without their secrets.',
  tag: 'Webhooks',
  credentials: ['production_key'],
  answers: {
    200: answer('The webhooks.', z.array(webhookWire), [exampleWebhook]),
  },
});

export const getWebhookRoute = route({
  method: 'GET',
  path: '/org/webhooks/{webhook_id}',
  operationId: 'getWebhook',
  summary: 'A webhook and how it fares',
  description: 'A webhook of another organisation is answered as one that does not exist.',
  tag: 'Webhooks',
  credentials: ['production_key'],
  params,
  answers: {
    200: answer('The webhook.', webhookWire, exampleWebhook),
  },
  errors: ['webhook_not_found'],
});

export const deleteWebhookRoute = route({
  method: 'DELETE',
  path: '/org/webhooks/{webhook_id}',
  operationId: 'deleteWebhook',
  summary: 'End a webhook',
  description: 'Nothing more is sent to it, but for what is under way. What was not delivered is forgotten.',
  tag: 'Webhooks',
  credentials: ['production_key'],
  params,
  answers: {
    200: answer(
      'The webhook is ended.',
      z
        .object({
          webhook_id: z.string().describe('Which webhook it was.'),
          deleted_at: z.string().describe('From when nothing is sent, RFC 3339 in UTC.'),
        })
        .meta({ id: 'WebhookDeleted', description: 'Which webhook is ended.' }),
      { webhook_id: exampleWebhook.webhook_id, deleted_at: '2026-01-16T08:00:00.000Z' },
    ),
  },
  errors: ['webhook_not_found', ...commandErrors],
});

export const replayWebhookRoute = route({
  method: 'POST',
  path: '/org/webhooks/{webhook_id}/replay',
  operationId: 'replayWebhook',
  summary: 'Have changes told once more, from a log position on',
  description:
    'All changes from the position on are sent again, those of before the webhook was registered included, each with the webhook-id that ' +
    'it had. A webhook that was switched off is switched on again.',
  tag: 'Webhooks',
  credentials: ['production_key'],
  params,
  body: z.object({ from_position: logPosition }).meta({ id: 'WebhookReplayRequest', description: 'From where on.' }),
  bodyExamples: { from: { summary: 'From a change that was missed', value: { from_position: '48213' } } },
  answers: {
    200: answer(
      'The replay begins.',
      z
        .object({
          webhook_id: z.string().describe('Which webhook it is.'),
          from_position: logPosition,
          requested_at: z.string().describe('When it was asked for, RFC 3339 in UTC.'),
        })
        .meta({ id: 'WebhookReplay', description: 'A replay that was asked for.' }),
      {
        webhook_id: exampleWebhook.webhook_id,
        from_position: '48213',
        requested_at: '2026-01-16T08:00:00.000Z',
      },
    ),
  },
  errors: ['webhook_not_found', ...commandErrors],
});

export const listWebhookDeliveriesRoute = route({
  method: 'GET',
  path: '/org/webhooks/{webhook_id}/deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'What a webhook has not been delivered',
  description:
    'Changes that wait to be delivered, and those that were given up (dead letters), in the order of the log. What was delivered is not kept. ' +
    `Of dead letters the newest ${limits.webhookDeadLettersMax} are; a replay brings back any of them.`,
  tag: 'Webhooks',
  credentials: ['production_key'],
  params,
  query: z.object({
    status: z.enum(['pending', 'dead']).optional().describe('Which of the two; both where it is absent.'),
    limit: queryInteger(
      1,
      limits.webhookDeliveriesPageMax,
      limits.webhookDeliveriesPageDefault,
      'Entries on the page.',
    ),
    offset: queryOffset(limits.orgListOffsetMax),
  }),
  answers: {
    200: answer('One page.', z.array(webhookDeliveryWire), [exampleWebhookDelivery], { headers: pageHeaders }),
  },
  errors: ['webhook_not_found'],
});

/** In the order of the OpenAPI document. */
export const webhookRoutes: readonly Route[] = [
  registerWebhookRoute,
  listWebhooksRoute,
  getWebhookRoute,
  deleteWebhookRoute,
  replayWebhookRoute,
  listWebhookDeliveriesRoute,
];
