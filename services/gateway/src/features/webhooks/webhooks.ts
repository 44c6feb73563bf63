import { randomUUID } from 'node:crypto';
import {
  deleteWebhook as remove,
  deleteWebhookRoute,
  DomainError,
  findWebhookSalt,
  getWebhookRoute,
  getWebhookSecretRoute,
  webhookSecret,
  listWebhookDeliveriesRoute,
  listWebhooks,
  listWebhooksRoute,
  replayWebhookRoute,
  toWire,
  webhookView,
  faultAt,
  getAgent,
  production,
  registerWebhook as register,
  registerWebhookRoute,
} from '@agent-trust/contracts';
import { type CheckTarget, OutboundError } from '@agent-trust/safe-fetch';
import { mintSecretSalt, webhookSecretOf, webhookSecretsFrom, webhookSecretsOf } from '@agent-trust/webhook-signature';
import type { FastifyRequest } from 'fastify';
import { ask } from '../../bus/ask.ts';
import { write } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { webhookListenerEndpoints } from './listen.ts';
import { deliveriesOf, replayOf } from './one-webhook.ts';

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

const webhookSecrets = endpoint(getWebhookSecretRoute, async ({ params, caller, request }, gateway) => {
  const { orgId } = caller.organisation;
  const { webhook_id: webhookId } = params;
  const { secretSalt } = await ask(gateway, request, findWebhookSalt, { orgId, webhookId });
  if (secretSalt === null) throw noSuchWebhook();
  const { WEBHOOK_SECRET, WEBHOOK_SECRET_PREVIOUS } = gateway.settings;
  const values = webhookSecretsFrom(WEBHOOK_SECRET, WEBHOOK_SECRET_PREVIOUS);
  const [secret, previousSecret = null] = webhookSecretsOf(values, webhookId, secretSalt);
  return toWire(webhookSecret, { webhookId, secret, previousSecret });
});

/** The same text for an unknown webhook and for another organisation's, which must not be revealed. */
function noSuchWebhook(): DomainError {
  return new DomainError('webhook_not_found', 'the organisation has no webhook of this id');
}

const webhookDeliveries = endpoint(
  listWebhookDeliveriesRoute,
  async ({ params, query, caller, request, reply }, gateway) => {
    const { orgId } = caller.organisation;
    const path = `/org/webhooks/${params.webhook_id}/deliveries`;
    const found = await deliveriesOf({ gateway, request, reply, path }, { orgId, webhookId: params.webhook_id }, query);
    if (found === null) throw noSuchWebhook();
    return found;
  },
);

const deleteWebhook = endpoint(deleteWebhookRoute, ({ params, caller, actor, request }, gateway) => {
  const input = { orgId: caller.organisation.orgId, webhookId: params.webhook_id, actor };
  return write(gateway, request, remove, input, ({ deletedAt }) => ({
    webhook_id: params.webhook_id,
    deleted_at: deletedAt,
  }));
});

const replayWebhook = endpoint(replayWebhookRoute, ({ body, params, caller, actor, request }, gateway) => {
  const { orgId } = caller.organisation;
  const fromPosition = body.from_position;
  return replayOf(gateway, request, { orgId, webhookId: params.webhook_id, fromPosition, actor });
});

const registerWebhook = endpoint(registerWebhookRoute, async ({ body, caller, actor, request }, gateway) => {
  const { orgId } = caller.organisation;
  const { url, agent_ids: named = null } = body;
  const agentIds = named === null ? null : await ensureNamedAgents(gateway, request, named);
  await ensureWebhookTarget(gateway.checkTarget, url);
  const webhookId = randomUUID();
  const secretSalt = mintSecretSalt();
  const secret = webhookSecretOf(gateway.settings.WEBHOOK_SECRET, webhookId, secretSalt);
  const fields = { webhook_id: webhookId, url, agent_ids: agentIds, secret };
  return write(
    gateway,
    request,
    register,
    { orgId, webhookId, url, agentIds, secretSalt, actor },
    ({ registeredAt }) => ({ ...fields, created_at: registeredAt }),
    { fields, advice: 'it is not known whether the webhook was registered: if it was, this is its secret' },
  );
});

export const webhookEndpoints: readonly Endpoint[] = [
  registerWebhook,
  webhooks,
  webhook,
  webhookSecrets,
  webhookDeliveries,
  deleteWebhook,
  replayWebhook,
  ...webhookListenerEndpoints,
];

/** The agents that a webhook names, each once; any agents of production, whose scores are public. @throws DomainError agent_not_found */
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
    throw new DomainError('agent_not_found', `no agent ${JSON.stringify(missing)} is registered in production`);
  }
  return agentIds;
}

/**
 * Refuses an address to which nothing would be sent. Each delivery checks it again, since a name may resolve to another address. @throws
 * DomainError webhook_url_not_allowed
 */
async function ensureWebhookTarget(checkTarget: CheckTarget, url: string): Promise<void> {
  try {
    await checkTarget(url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw faultAt('webhook_url_not_allowed', ['body', 'url'], error.message);
  }
}
