import { getWebhookRoute, listWebhooks, listWebhooksRoute, webhookToWire } from '@agent-trust/contracts';
import { authenticateOrganisation } from '../../http/caller/organisation.ts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { noSuchWebhook } from './own-webhook.ts';

export const webhooks: Endpoint = endpoint(listWebhooksRoute, async ({ request }, gateway) => {
  const { orgId } = await authenticateOrganisation(gateway, request, 'listWebhooks');
  const found = await ask(gateway, request, listWebhooks, { orgId, webhookId: null });
  return found.webhooks.map(webhookToWire);
});

export const webhook: Endpoint = endpoint(getWebhookRoute, async ({ params, request }, gateway) => {
  const { orgId } = await authenticateOrganisation(gateway, request, 'getWebhook');
  const found = await ask(gateway, request, listWebhooks, { orgId, webhookId: params.webhook_id });
  const [only] = found.webhooks;
  if (only === undefined) throw noSuchWebhook();
  return webhookToWire(only);
});
