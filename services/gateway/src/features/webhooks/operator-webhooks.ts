import {
  DomainError,
  listAllWebhooks,
  listAllWebhooksRoute,
  listDeliveriesOfAnyWebhookRoute,
  operatorWebhook,
  replayAnyWebhookRoute,
  toWire,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { ask } from '../../bus/ask.ts';
import type { Gateway } from '../../gateway.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { setPageHeaders } from '../../http/public-document.ts';
import { deliveriesOf, replayOf } from './one-webhook.ts';

const list = endpoint(listAllWebhooksRoute, async ({ query, request, reply }, gateway) => {
  const { limit, offset, org_id: orgId = null } = query;
  const { webhooks, total } = await ask(gateway, request, listAllWebhooks, { orgId, webhookId: null, limit, offset });
  const shown = { limit, offset, ...(orgId === null ? {} : { org_id: orgId }) };
  setPageHeaders(reply, `${gateway.baseUrl}/ops/webhooks`, shown, total);
  return webhooks.map((one) => toWire(operatorWebhook, one));
});

const noSuchWebhook = (webhookId: string): DomainError =>
  new DomainError('webhook_not_found', `there is no webhook ${webhookId}`);

/** Whose webhook it is. @throws DomainError webhook_not_found */
const ownerOf = async (gateway: Gateway, request: FastifyRequest, webhookId: string): Promise<string> => {
  const wanted = { orgId: null, webhookId, limit: 1, offset: 0 };
  const [only] = (await ask(gateway, request, listAllWebhooks, wanted)).webhooks;
  if (only === undefined) throw noSuchWebhook(webhookId);
  return only.orgId;
};

const deliveries = endpoint(listDeliveriesOfAnyWebhookRoute, async ({ params, query, request, reply }, gateway) => {
  const webhookId = params.webhook_id;
  const orgId = await ownerOf(gateway, request, webhookId);
  const path = `/ops/webhooks/${webhookId}/deliveries`;
  const found = await deliveriesOf({ gateway, request, reply, path }, { orgId, webhookId }, query);
  // It was ended meanwhile.
  if (found === null) throw noSuchWebhook(webhookId);
  return found;
});

const replay = endpoint(replayAnyWebhookRoute, async ({ body, params, actor, request }, gateway) => {
  const { webhook_id: webhookId } = params;
  const orgId = await ownerOf(gateway, request, webhookId);
  return replayOf(gateway, request, { orgId, webhookId, fromPosition: body.from_position, actor });
});

/** Webhooks of any organisation, for operators: the organisations' own keys open their own alone. */
export const operatorWebhookEndpoints: readonly Endpoint[] = [list, deliveries, replay];
