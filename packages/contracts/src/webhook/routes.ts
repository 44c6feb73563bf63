import { z } from 'zod';
import { errorBody } from '../errors.ts';
import { pageHeaders, queryInteger, queryOffset } from '../http/query-integer.ts';
import { type Route, route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId } from '../text.ts';
import { exampleRegisteredWebhook, exampleWebhook, exampleWebhookDelivery } from './examples.ts';
import { webhookUrl } from './webhook-url.ts';
import { registeredWebhookWire, webhookDeliveryWire, webhookWire } from './wire-output.ts';

const params = z.object({ webhook_id: z.uuid().meta({ description: 'Names the webhook.' }) });
const ofKey = ['credential_required', 'invalid_api_key'] as const;
const ofWrite = ['write_conflict', 'read_model_behind'] as const;
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
      agent_ids: z.array(agentId).min(1).max(limits.webhookAgentsMax).nullable().optional().meta({
        description:
          "Agents whose changes are told, of whatever organisation. Absent or null: all of the organisation's own.",
      }),
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
    201: {
      description: 'The webhook, with its secret, shown once.',
      body: registeredWebhookWire,
      examples: { registered: { summary: 'A new webhook', value: exampleRegisteredWebhook } },
    },
  },
  errorBodies: {
    503: errorBody
      .extend(registeredWebhookWire.partial().shape)
      .meta({ id: 'WebhookRegisteredAnyway', description: 'A refusal after which the new webhook stands, or may.' }),
  },
  errorExamples: { read_model_behind: exampleRegisteredWebhook },
  errors: [
    'validation_failed',
    ...ofKey,
    'agent_not_found',
    'webhook_url_not_allowed',
    'webhook_limit_reached',
    ...ofWrite,
  ],
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
    200: {
      description: 'The webhooks.',
      body: z.array(webhookWire),
      examples: { one: { summary: 'One webhook', value: [exampleWebhook] } },
    },
  },
  errors: [...ofKey],
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
    200: {
      description: 'The webhook.',
      body: webhookWire,
      examples: { active: { summary: 'A webhook that is behind by one change', value: exampleWebhook } },
    },
  },
  errors: ['validation_failed', ...ofKey, 'webhook_not_found'],
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
    200: {
      description: 'The webhook is ended.',
      body: z
        .object({
          webhook_id: z.string().meta({ description: 'Which webhook it was.' }),
          deleted_at: z.string().meta({ description: 'From when nothing is sent, RFC 3339 in UTC.' }),
        })
        .meta({ id: 'WebhookDeleted', description: 'Which webhook is ended.' }),
      examples: {
        deleted: {
          summary: 'Ended',
          value: { webhook_id: exampleWebhook.webhook_id, deleted_at: '2026-01-16T08:00:00.000Z' },
        },
      },
    },
  },
  errors: ['validation_failed', ...ofKey, 'webhook_not_found', ...ofWrite],
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
    200: {
      description: 'The replay begins.',
      body: z
        .object({
          webhook_id: z.string().meta({ description: 'Which webhook it is.' }),
          from_position: logPosition,
          requested_at: z.string().meta({ description: 'When it was asked for, RFC 3339 in UTC.' }),
        })
        .meta({ id: 'WebhookReplay', description: 'A replay that was asked for.' }),
      examples: {
        requested: {
          summary: 'Asked for',
          value: {
            webhook_id: exampleWebhook.webhook_id,
            from_position: '48213',
            requested_at: '2026-01-16T08:00:00.000Z',
          },
        },
      },
    },
  },
  errors: ['validation_failed', ...ofKey, 'webhook_not_found', ...ofWrite],
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
    status: z.enum(['pending', 'dead']).optional().meta({ description: 'Which of the two; both where it is absent.' }),
    limit: queryInteger(
      1,
      limits.webhookDeliveriesPageMax,
      limits.webhookDeliveriesPageDefault,
      'Entries on the page.',
    ),
    offset: queryOffset(limits.orgListOffsetMax),
  }),
  answers: {
    200: {
      description: 'One page.',
      body: z.array(webhookDeliveryWire),
      headers: pageHeaders,
      examples: { one: { summary: 'A change that is tried again', value: [exampleWebhookDelivery] } },
    },
  },
  errors: ['validation_failed', ...ofKey, 'webhook_not_found'],
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
