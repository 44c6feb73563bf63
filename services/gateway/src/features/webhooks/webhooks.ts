import {
  deleteWebhook as remove,
  deleteWebhookRoute,
  DomainError,
  getWebhookRoute,
  listWebhookDeliveries,
  listWebhookDeliveriesRoute,
  listWebhooks,
  listWebhooksRoute,
  replayWebhook as replay,
  replayWebhookRoute,
  toWire,
  webhookDelivery,
  webhookView,
} from '@agent-trust/contracts';
import { ask, command } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { setPageHeaders } from '../../http/page-links.ts';

const webhooks = endpoint(listWebhooksRoute, async ({ caller, request }, gateway) => {
  const { orgId } = caller.organisation;
  const found = await ask(gateway, request, listWebhooks, { orgId, webhookId: null });
  return found.webhooks.map((view) => toWire(webhookView, view));
});

const webhook = endpoint(getWebhookRoute, async ({ params, caller, request }, gateway) => {
  const { orgId } = caller.organisation;
  const found = await ask(gateway, request, listWebhooks, { orgId, webhookId: params.webhook_id });
  const [only] = found.webhooks;
  if (only === undefined) throw noSuchWebhook();
  return toWire(webhookView, only);
});

/** One text, whether there is none or it is another organisation's: nobody learns which. */
function noSuchWebhook(): DomainError {
  return new DomainError('webhook_not_found', 'the organisation has no webhook of this id');
}

const webhookDeliveries = endpoint(
  listWebhookDeliveriesRoute,
  async ({ params, query, caller, request, reply }, gateway) => {
    const { orgId } = caller.organisation;
    const { limit, offset, status = null } = query;
    const webhookId = params.webhook_id;
    const { page } = await ask(gateway, request, listWebhookDeliveries, { orgId, webhookId, status, limit, offset });
    if (page === null) throw noSuchWebhook();
    const shown = { limit, offset, ...(status === null ? {} : { status }) };
    setPageHeaders(reply, `${gateway.baseUrl}/org/webhooks/${webhookId}/deliveries`, shown, page.total);
    return page.deliveries.map((delivery) => toWire(webhookDelivery, delivery));
  },
);

const deleteWebhook = endpoint(deleteWebhookRoute, async ({ params, caller, actor, request }, gateway) => {
  const { orgId } = caller.organisation;
  const { deletedAt, position } = await command(gateway, request, remove, {
    orgId,
    webhookId: params.webhook_id,
    actor,
  });
  await untilReadable(gateway, request, position);
  return { webhook_id: params.webhook_id, deleted_at: deletedAt };
});

const replayWebhook = endpoint(replayWebhookRoute, async ({ body, params, caller, actor, request }, gateway) => {
  const { orgId } = caller.organisation;
  const { requestedAt, position } = await command(gateway, request, replay, {
    orgId,
    webhookId: params.webhook_id,
    fromPosition: body.from_position,
    actor,
  });
  await untilReadable(gateway, request, position);
  return { webhook_id: params.webhook_id, from_position: body.from_position, requested_at: requestedAt };
});

export const webhookEndpoints: readonly Endpoint[] = [
  webhooks,
  webhook,
  webhookDeliveries,
  deleteWebhook,
  replayWebhook,
];
