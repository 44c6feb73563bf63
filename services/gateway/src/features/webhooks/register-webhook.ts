import { randomUUID } from 'node:crypto';
import {
  DomainError,
  faultAt,
  getAgent,
  production,
  registerWebhook as register,
  registerWebhookRoute,
} from '@agent-trust/contracts';
import { type CheckTarget, OutboundError } from '@agent-trust/safe-fetch';
import { mintSecretSalt, webhookSecretOf } from '@agent-trust/webhook-signature';
import type { FastifyRequest } from 'fastify';
import { ask, command } from '../../bus/ask.ts';
import { issuedAnyway } from '../../bus/may-have-happened.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

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

/**
 * The agents that a webhook names, each once. They must be in production, whosever they are: scores there are public.
 *
 * @throws DomainError agent_not_found
 */
async function ensureNamedAgents(
  gateway: Gateway,
  request: FastifyRequest,
  named: readonly string[],
): Promise<string[]> {
  const agentIds = [...new Set(named)];
  const found = await Promise.all(
    agentIds.map((agentId) => ask(gateway, request, getAgent, { agentId, universe: production })),
  );
  const missing = agentIds.find((_, index) => found[index]?.agent === null);
  if (missing !== undefined) {
    throw new DomainError('agent_not_found', `agent ${JSON.stringify(missing)} is not registered in production`);
  }
  return agentIds;
}

/**
 * A webhook is told at once when its address is one that nothing would ever be sent to. What is sent later is checked again as it is
 * connected to, since names may answer otherwise then.
 *
 * @throws DomainError webhook_url_not_allowed
 */
async function ensureWebhookTarget(checkTarget: CheckTarget, url: string): Promise<void> {
  try {
    await checkTarget(url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw faultAt('webhook_url_not_allowed', ['body', 'url'], error.message);
  }
}
