import { z } from 'zod';
import { pageHeaders, pageQuery } from '../http/query-integer.ts';
import { answer, commandErrors, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { operatorRoute } from '../operator/operator-route.ts';
import {
  exampleWebhook,
  exampleWebhookDelivery,
  exampleWebhookReplay,
  webhookDeliveriesQuery,
  webhookParams,
  webhookReplayBody,
  webhookReplayWire,
} from './routes.ts';
import { operatorWebhookWire, webhookDeliveryWire } from './wire-output.ts';

const viewed = { ...operatorRoute, method: 'GET', operatorRole: 'viewer' } as const;

export const listAllWebhooksRoute = route({
  ...viewed,
  path: '/ops/webhooks',
  operationId: 'listAllWebhooks',
  summary: 'Webhooks of all organisations',
  description: 'Those for which most messages wait come first. Their secrets are for their organisations alone.',
  query: z.object({
    org_id: z.string().min(1).max(100).optional().describe('Only those of this organisation.'),
    ...pageQuery(
      'Webhooks',
      limits.webhookDeliveriesPageMax,
      limits.webhookDeliveriesPageDefault,
      limits.orgListOffsetMax,
    ),
  }),
  answers: {
    200: answer(
      'One page.',
      z.array(operatorWebhookWire),
      [{ ...exampleWebhook, org_id: '0199c2f4-3b7e-7c1a-9d55-2f6b4c1e9a57' }],
      { headers: pageHeaders },
    ),
  },
});

export const listDeliveriesOfAnyWebhookRoute = route({
  ...viewed,
  path: '/ops/webhooks/{webhook_id}/deliveries',
  operationId: 'listDeliveriesOfAnyWebhook',
  summary: 'Messages that a webhook of any organisation has not received, or has received last',
  description: 'As GET /org/webhooks/{webhook_id}/deliveries.',
  params: webhookParams,
  query: webhookDeliveriesQuery,
  answers: {
    200: answer('One page.', z.array(webhookDeliveryWire), [exampleWebhookDelivery], { headers: pageHeaders }),
  },
  errors: ['webhook_not_found'],
});

export const replayAnyWebhookRoute = route({
  ...operatorRoute,
  path: '/ops/webhooks/{webhook_id}/replay',
  operationId: 'replayAnyWebhook',
  summary: 'Send the messages of a webhook of any organisation again, from a log position on',
  description:
    'As POST /org/webhooks/{webhook_id}/replay, for an organisation that asks for it. The audit trail names the operator.',
  params: webhookParams,
  body: webhookReplayBody,
  bodyExamples: { from: { summary: 'From a change that was missed', value: { from_position: '48213' } } },
  answers: { 200: answer('The replay begins.', webhookReplayWire, exampleWebhookReplay) },
  errors: ['webhook_not_found', ...commandErrors],
});

export const operatorWebhookRoutes: readonly Route[] = [
  listAllWebhooksRoute,
  listDeliveriesOfAnyWebhookRoute,
  replayAnyWebhookRoute,
];
