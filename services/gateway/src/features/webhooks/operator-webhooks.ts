import {
  DomainError,
  listAllWebhooks,
  listAllWebhooksRoute,
  listDeliveriesOfAnyWebhookRoute,
  listWebhookDeliveries,
  operatorWebhook,
  replayAnyWebhookRoute,
  replayWebhook,
  toWire,
  webhookDelivery,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { ask } from '../../bus/ask.ts';
import { write } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { setPageHeaders } from '../../http/public-document.ts';

const list = endpoint(listAllWebhooksRoute, async ({ query, request, reply }, gateway) => {
  const { limit, offset, org_id: orgId = null } = query;
  const { webhooks, total } = await ask(gateway, request, listAllWebhooks, { orgId, webhookId: null, limit, offset });
  const shown = { limit, offset, ...(orgId === null ? {} : { org_id: orgId }) };
  setPageHeaders(reply, `${gateway.baseUrl}/ops/webhooks`, shown, total);
  return webhooks.map((one) => toWire(operatorWebhook, one));
});

/** Whose webhook it is. @throws DomainError webhook_not_found */
const ownerOf = async (gateway: Gateway, request: FastifyRequest, webhookId: string): Promise<string> => {
  const wanted = { orgId: null, webhookId, limit: 1, offset: 0 };
  const [only] = (await ask(gateway, request, listAllWebhooks, wanted)).webhooks;
  if (only === undefined) throw new DomainError('webhook_not_found', `there is no webhook ${webhookId}`);
  return only.orgId;
};

const deliveries = endpoint(listDeliveriesOfAnyWebhookRoute, async ({ params, query, request, reply }, gateway) => {
  const { limit, offset, status = null } = query;
  const webhookId = params.webhook_id;
  const orgId = await ownerOf(gateway, request, webhookId);
  const { page } = await ask(gateway, request, listWebhookDeliveries, { orgId, webhookId, status, limit, offset });
  // It was ended meanwhile.
  const { deliveries: found, total } = page ?? { deliveries: [], total: 0 };
  const shown = { limit, offset, ...(status === null ? {} : { status }) };
  setPageHeaders(reply, `${gateway.baseUrl}/ops/webhooks/${webhookId}/deliveries`, shown, total);
  return found.map((delivery) => toWire(webhookDelivery, delivery));
});

const replay = endpoint(replayAnyWebhookRoute, async ({ body, params, actor, request }, gateway) => {
  const { webhook_id: webhookId } = params;
  const { from_position: fromPosition } = body;
  const orgId = await ownerOf(gateway, request, webhookId);
  return write(gateway, request, replayWebhook, { orgId, webhookId, fromPosition, actor }, ({ requestedAt }) => ({
    webhook_id: webhookId,
    from_position: fromPosition,
    requested_at: requestedAt,
  }));
});

/** Webhooks of any organisation, for operators: the organisations' own keys open their own alone. */
export const operatorWebhookEndpoints: readonly Endpoint[] = [list, deliveries, replay];
