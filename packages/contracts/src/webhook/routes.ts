import { z } from 'zod';
import { exampleIds } from '../agent/examples.ts';
import { errorBody } from '../errors.ts';
import { pageHeaders, pageQuery } from '../http/query-integer.ts';
import { answer, commandErrors, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId, moment, text } from '../text.ts';
import { webhookListenerRoutes } from './listener-routes.ts';
import { registeredWebhookWire, webhookDeliveryWire, webhookSecretWire, webhookWire } from './wire-output.ts';

const described = {
  webhook_id: '5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b',
  url: 'https://hooks.globex.example/trust',
  agent_ids: null,
  created_at: '2026-01-15T09:30:00.000Z',
};

export const exampleRegisteredWebhook: z.infer<typeof registeredWebhookWire> = {
  ...described,
  secret: `whsec_${'EXAMPLE'.repeat(6)}A=`,
};

export const exampleWebhookSecret: z.infer<typeof webhookSecretWire> = {
  webhook_id: described.webhook_id,
  secret: exampleRegisteredWebhook.secret,
  previous_secret: null,
};

export const exampleWebhook: z.infer<typeof webhookWire> = {
  ...described,
  status: 'active',
  disabled_at: null,
  resume_from: null,
  pending: 1,
  dead_letters: 0,
  last_delivered_at: '2026-01-15T10:02:11.204Z',
  last_failure: { at: '2026-01-15T10:05:00.950Z', reason: 'status_503' },
};

export const exampleWebhookDelivery: z.infer<typeof webhookDeliveryWire> = {
  webhook_message_id: 'msg_7f9c2ba4e88f827d616045507605853ed73b8093',
  type: 'trust_score.changed',
  status: 'pending',
  agent_id: exampleIds.translator,
  position: '48213',
  trust_score: 77,
  previous_score: 76,
  attempts: 1,
  next_attempt_at: '2026-01-15T10:05:05.950Z',
  last_attempt_at: '2026-01-15T10:05:00.950Z',
  last_failure: 'status_503',
  delivered_at: null,
};

export const webhookParams = z.object({ webhook_id: z.uuid().describe('Names the webhook.') });
const logPosition = z
  .string()
  .regex(/^\d{1,18}$/u, { message: 'must be a log position, decimal digits' })
  .meta({
    description: 'Log position of the first message that is sent again; 0 is the beginning.',
    examples: ['48213'],
  });

export const webhookReplayWire = z
  .object({
    webhook_id: z.string().describe('Which webhook it is.'),
    from_position: logPosition,
    requested_at: moment('When it was requested'),
  })
  .meta({ id: 'WebhookReplay', description: 'A requested replay.' });
export const exampleWebhookReplay: z.infer<typeof webhookReplayWire> = {
  webhook_id: exampleWebhook.webhook_id,
  from_position: '48213',
  requested_at: '2026-01-16T08:00:00.000Z',
};
export const webhookReplayBody = z
  .strictObject({ from_position: logPosition })
  .meta({ id: 'WebhookReplayRequest', description: 'From where on.' });
export const webhookDeliveriesQuery = z.object({
  status: z
    .enum(['pending', 'dead', 'delivered'])
    .optional()
    .describe('Only those in this state; if absent, all that are not delivered.'),
  ...pageQuery(
    'Entries',
    limits.webhookDeliveriesPageMax,
    limits.webhookDeliveriesPageDefault,
    limits.orgListOffsetMax,
  ),
});

const isWebhookUrl = (value: string): boolean => {
  // The WHATWG parser mends what a person would not recognise as the same address; see `endpointUrl`.
  if (!/^https:\/\/[^\s\\/?#][^\s\\#]*$/iu.test(value)) return false;
  const url = URL.parse(value);
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === '' && url.hostname !== '';
};

/** Where messages may be sent: https alone, since what they say must not be read or changed on the way. */
const webhookUrl = text(limits.endpointUrlCharsMax, 1)
  .refine(isWebhookUrl, { message: 'must be an https URL without user information and fragment' })
  .meta({
    format: 'uri',
    description: 'Where messages are sent by POST: https, a public address, without user information and fragment.',
    examples: ['https://hooks.globex.example/trust'],
  });

export const registerWebhookRoute = route({
  method: 'POST',
  path: '/org/webhooks',
  operationId: 'registerWebhook',
  summary: 'Subscribe to changes of trust scores, and to notices',
  description:
    "Every later change of a trust score is sent to url by POST: of all of the organisation's production agents, or of the named ones. " +
    'So are notices about the organisation and those of these agents that are its own: an agent was suspended, reinstated or retired, or ' +
    'lost its domain to who proved it; the organisation was disabled or enabled. ' +
    'Messages are signed by the Standard Webhooks scheme, sent at least once with the same webhook-id, and in order for each agent. ' +
    `An organisation has at most ${limits.webhooksPerOrgMax} webhooks. After a 503 with a secret in its body the webhook may exist: keep the secret.`,
  tag: 'Webhooks',
  credentials: ['production_key'],
  organisationScope: 'webhooks',
  secret: true,
  body: z
    .strictObject({
      url: webhookUrl,
      agent_ids: z
        .array(agentId)
        .min(1)
        .max(limits.webhookAgentsMax)
        .nullish()
        .describe("Agents of any organisation that it reports on; absent or null: all of the organisation's own."),
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
    201: answer('The webhook, with its secret.', registeredWebhookWire, exampleRegisteredWebhook),
  },
  errorBodies: {
    503: errorBody
      .extend(registeredWebhookWire.partial().shape)
      .meta({ id: 'WebhookRegisteredAnyway', description: 'A refusal after which the new webhook may exist.' }),
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
  organisationScope: 'webhooks',
  answers: { 200: answer('The webhooks.', z.array(webhookWire), [exampleWebhook]) },
});

export const getWebhookRoute = route({
  method: 'GET',
  path: '/org/webhooks/{webhook_id}',
  operationId: 'getWebhook',
  summary: 'A webhook and its state',
  description: 'A webhook of another organisation is not found.',
  tag: 'Webhooks',
  credentials: ['production_key'],
  organisationScope: 'webhooks',
  params: webhookParams,
  answers: { 200: answer('The webhook.', webhookWire, exampleWebhook) },
  errors: ['webhook_not_found'],
});

export const getWebhookSecretRoute = route({
  method: 'GET',
  path: '/org/webhooks/{webhook_id}/secret',
  operationId: 'getWebhookSecret',
  summary: 'The secret of a webhook',
  description:
    'What its messages are signed with. While the registry replaces its secrets, messages carry two signatures, by the new secret and by ' +
    'previous_secret: give the receiver the new one before the previous one ends.',
  tag: 'Webhooks',
  credentials: ['production_key'],
  organisationScope: 'webhooks',
  secret: true,
  params: webhookParams,
  answers: { 200: answer('The secret.', webhookSecretWire, exampleWebhookSecret) },
  errors: ['webhook_not_found'],
});

export const deleteWebhookRoute = route({
  method: 'DELETE',
  path: '/org/webhooks/{webhook_id}',
  operationId: 'deleteWebhook',
  summary: 'End a webhook',
  description: 'Nothing more is sent to it except attempts under way; undelivered messages are dropped.',
  tag: 'Webhooks',
  credentials: ['production_key'],
  organisationScope: 'webhooks',
  params: webhookParams,
  answers: {
    200: answer(
      'The webhook is ended.',
      z
        .object({
          webhook_id: z.string().describe('Which webhook it was.'),
          deleted_at: moment('From when nothing is sent'),
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
  summary: 'Send changes and notices again, from a log position on',
  description:
    'All changes and notices from the position on are sent again with their webhook-ids, including those from before the webhook was registered. ' +
    'A disabled webhook is enabled again.',
  tag: 'Webhooks',
  credentials: ['production_key'],
  organisationScope: 'webhooks',
  params: webhookParams,
  body: webhookReplayBody,
  bodyExamples: { from: { summary: 'From a change that was missed', value: { from_position: '48213' } } },
  answers: {
    200: answer('The replay begins.', webhookReplayWire, exampleWebhookReplay),
  },
  errors: ['webhook_not_found', ...commandErrors],
});

export const listWebhookDeliveriesRoute = route({
  method: 'GET',
  path: '/org/webhooks/{webhook_id}/deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'Messages that a webhook has not received, or has received last',
  description:
    'Messages that wait for delivery, and those that were given up (dead letters), in the order of the log; with status=delivered those that were ' +
    `delivered last, the newest first. The last ${limits.webhookDeliveredKeptMax} delivered ones are kept, and the newest ` +
    `${limits.webhookDeadLettersMax} dead letters; a replay sends any message again.`,
  tag: 'Webhooks',
  credentials: ['production_key'],
  organisationScope: 'webhooks',
  params: webhookParams,
  query: webhookDeliveriesQuery,
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
  getWebhookSecretRoute,
  deleteWebhookRoute,
  replayWebhookRoute,
  listWebhookDeliveriesRoute,
  ...webhookListenerRoutes,
];
