import { deleteWebhook as remove, deleteWebhookRoute } from '@agent-trust/contracts';
import { heldCredentials } from '../../http/caller/held-credentials.ts';
import { authenticateOrganisation } from '../../http/caller/organisation.ts';
import { command } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const deleteWebhook: Endpoint = endpoint(deleteWebhookRoute, async ({ params, request }, gateway) => {
  const { orgId } = await authenticateOrganisation(gateway, request, 'deleteWebhook');
  const { deletedAt, position } = await command(gateway, request, remove, {
    orgId,
    webhookId: params.webhook_id,
    actor: { kind: 'organisation', id: orgId, credentials: heldCredentials(request) },
  });
  await untilReadable(gateway, request, position);
  return { webhook_id: params.webhook_id, deleted_at: deletedAt };
});
