import { finished } from 'node:stream';
import {
  listenToWebhookMessagesRoute,
  listWebhookMessages,
  openWebhookListenerRoute,
  webhookUserAgent,
} from '@agent-trust/contracts';
import {
  mintSecretSalt,
  signMessage,
  type WebhookSecrets,
  webhookSecretsFrom,
  webhookSecretsOf,
} from '@agent-trust/webhook-signature';
import { originOf } from '../../bus/ask.ts';
import type { Gateway } from '../../gateway.ts';
import { identify } from '../../http/caller/caller.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { answerFollow } from '../events/answer-follow.ts';
import { eventsLimits } from '../events/event-query.ts';

/**
 * Of one organisation and one listener, by each value of WEBHOOK_SECRET. Nothing is stored: whoever knows the id and has the organisation's key gets
 * the same secret.
 */
const secretsOf = ({ settings }: Gateway, orgId: string, listenerId: string): WebhookSecrets =>
  webhookSecretsOf(
    webhookSecretsFrom(settings.WEBHOOK_SECRET, settings.WEBHOOK_SECRET_PREVIOUS),
    `listener of ${orgId}`,
    listenerId,
  );

const open = endpoint(openWebhookListenerRoute, async ({ caller, reply }, gateway) => {
  const listenerId = mintSecretSalt();
  reply.code(201);
  const [secret] = secretsOf(gateway, caller.organisation.orgId, listenerId);
  return { listener_id: listenerId, secret };
});

const listen = endpoint(listenToWebhookMessagesRoute, async ({ params, query, caller, request, reply }, gateway) => {
  const { orgId } = caller.organisation;
  const { listener_id: listenerId } = params;
  const { after, agent_ids: agentIds = null } = query;
  // A listener that was opened before WEBHOOK_SECRET was replaced knows the former secret.
  const secrets = secretsOf(gateway, orgId, listenerId);
  finished(reply.raw, gateway.eventStreams.acquire(`organisation ${orgId}`));
  const source = {
    path: request.url,
    caller: `organisation ${orgId}`,
    filters: {},
    read: async (page: { after: string | null; waitMs: number }, signal?: AbortSignal) => {
      // At every page, so that a replaced key gets nothing more.
      const identifyAgain = () => identify(gateway, request, listenToWebhookMessagesRoute);
      await identifyAgain();
      const input = { orgId, listenerId, agentIds, after: page.after, waitMs: page.waitMs };
      const { groups, ...rest } = await gateway.rpc.request(listWebhookMessages, input, {
        ...originOf(request),
        timeoutMs: page.waitMs + eventsLimits.questionTimeoutMs,
        ...(signal === undefined ? {} : { signal }),
      });
      // The key may have been replaced while the query waited.
      if (page.waitMs > 0) await identifyAgain();
      const events = groups.map(({ position, messages }) => ({
        position,
        messages: messages.map(({ id, body }) => ({
          headers: {
            'content-type': 'application/json',
            'user-agent': webhookUserAgent,
            ...signMessage({ id, sentAt: new Date(), body }, ...secrets),
          },
          body,
        })),
      }));
      return { ...rest, events };
    },
  };
  return answerFollow(gateway, reply, source, { order: 'asc', after });
});

export const webhookListenerEndpoints: readonly Endpoint[] = [open, listen];
