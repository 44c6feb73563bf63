import { replayWebhook as replay, replayWebhookRoute } from '@agent-trust/contracts';
import { command } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const replayWebhook: Endpoint = endpoint(
  replayWebhookRoute,
  async ({ body, params, caller, actor, request }, gateway) => {
    const { orgId } = caller.organisation;
    const { requestedAt, position } = await command(gateway, request, replay, {
      orgId,
      webhookId: params.webhook_id,
      fromPosition: body.from_position,
      actor,
    });
    await untilReadable(gateway, request, position);
    return { webhook_id: params.webhook_id, from_position: body.from_position, requested_at: requestedAt };
  },
);
