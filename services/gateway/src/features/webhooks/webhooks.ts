import { getWebhookRoute, listWebhooks, listWebhooksRoute, webhookToWire } from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { noSuchWebhook } from './own-webhook.ts';

export const webhooks: Endpoint = endpoint(listWebhooksRoute, async ({ caller, request }, gateway) => {
  const { orgId } = caller.organisation;
  const found = await ask(gateway, request, listWebhooks, { orgId, webhookId: null });
  return found.webhooks.map(webhookToWire);
});

export const webhook: Endpoint = endpoint(getWebhookRoute, async ({ params, caller, request }, gateway) => {
  const { orgId } = caller.organisation;
  const found = await ask(gateway, request, listWebhooks, { orgId, webhookId: params.webhook_id });
  const [only] = found.webhooks;
  if (only === undefined) throw noSuchWebhook();
  return webhookToWire(only);
});
