import { listWebhookDeliveries, listWebhookDeliveriesRoute, webhookDeliveryToWire } from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { setPageHeaders } from '../../http/page-links.ts';
import { noSuchWebhook } from './own-webhook.ts';

export const webhookDeliveries: Endpoint = endpoint(
  listWebhookDeliveriesRoute,
  async ({ params, query, caller, request, reply }, gateway) => {
    const { orgId } = caller.organisation;
    const { limit, offset, status = null } = query;
    const webhookId = params.webhook_id;
    const { page } = await ask(gateway, request, listWebhookDeliveries, { orgId, webhookId, status, limit, offset });
    if (page === null) throw noSuchWebhook();
    const shown = { limit, offset, ...(status === null ? {} : { status }) };
    setPageHeaders(reply, `${gateway.baseUrl}/org/webhooks/${webhookId}/deliveries`, shown, page.total);
    return page.deliveries.map(webhookDeliveryToWire);
  },
);
