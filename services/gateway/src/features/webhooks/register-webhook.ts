import { randomUUID } from 'node:crypto';
import { registerWebhook as register, registerWebhookRoute } from '@agent-trust/contracts';
import { mintSecretSalt, webhookSecretOf } from '@agent-trust/webhook-signature';
import { command } from '../../bus/ask.ts';
import { issuedAnyway } from '../../bus/may-have-happened.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { ensureNamedAgents } from './named-agents.ts';
import { ensureWebhookTarget } from './webhook-target.ts';

export const registerWebhook: Endpoint = endpoint(
  registerWebhookRoute,
  async ({ body, caller, actor, request }, gateway) => {
    const { orgId } = caller.organisation;
    const { url, agent_ids: named = null } = body;
    const agentIds = named === null ? null : await ensureNamedAgents(gateway, request, named);
    await ensureWebhookTarget(gateway.checkTarget, url);
    const webhookId = randomUUID();
    const secretSalt = mintSecretSalt();
    const secret = webhookSecretOf(gateway.settings.WEBHOOK_SECRET, webhookId, secretSalt);
    const webhook = { webhook_id: webhookId, url, agent_ids: agentIds, secret };
    const { registeredAt, position } = await command(gateway, request, register, {
      orgId,
      webhookId,
      url,
      agentIds,
      secretSalt,
      actor,
    }).catch(
      issuedAnyway(webhook, 'it is not known whether the webhook was registered: if it was, this is its secret'),
    );
    const registered = { ...webhook, created_at: registeredAt };
    await untilReadable(gateway, request, position, registered);
    return registered;
  },
);
