import { deleteWebhook as remove, deleteWebhookRoute } from '@agent-trust/contracts';
import { command } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const deleteWebhook: Endpoint = endpoint(
  deleteWebhookRoute,
  async ({ params, caller, actor, request }, gateway) => {
    const { orgId } = caller.organisation;
    const { deletedAt, position } = await command(gateway, request, remove, {
      orgId,
      webhookId: params.webhook_id,
      actor,
    });
    await untilReadable(gateway, request, position);
    return { webhook_id: params.webhook_id, deleted_at: deletedAt };
  },
);
