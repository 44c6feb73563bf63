import { webhookLimits } from '../limits.ts';
import type { DueDelivery } from '../outbox/deliveries.ts';

type Webhook = { agents: Set<string>; isFailing: boolean };

/**
 * Limits messages in flight: one at a time for each agent, so that its changes arrive in order; a few for each webhook; one for a failing
 * webhook, so that consumers that never answer do not take the capacity of others.
 */
export function createUnderWay() {
  // A webhook is here while it has messages under way, and while it is failing.
  const webhooks = new Map<string, Webhook>();
  let size = 0;
  let failing = 0;
  const isFull = ({ agents, isFailing }: Webhook): boolean =>
    isFailing
      ? agents.size >= webhookLimits.messagesAtOnceFailingMax || failing >= webhookLimits.messagesAtOnceOfFailingMax
      : agents.size >= webhookLimits.messagesAtOncePerWebhookMax;
  return {
    /** Takes a place for a message; false if there is none now. */
    enter: ({ webhookId, agentId }: DueDelivery): boolean => {
      const webhook = webhooks.get(webhookId) ?? { agents: new Set(), isFailing: false };
      if (size >= webhookLimits.messagesAtOnceMax || isFull(webhook) || webhook.agents.has(agentId)) return false;
      webhook.agents.add(agentId);
      webhooks.set(webhookId, webhook);
      size += 1;
      if (webhook.isFailing) failing += 1;
      return true;
    },
    leave: ({ webhookId, agentId }: DueDelivery): void => {
      const webhook = webhooks.get(webhookId);
      if (webhook?.agents.delete(agentId) !== true) return;
      size -= 1;
      if (webhook.isFailing) failing -= 1;
      if (webhook.agents.size === 0 && !webhook.isFailing) webhooks.delete(webhookId);
    },
    /** Records whether the consumer took a message. Returns whether the webhook was failing until now. */
    settle: (webhookId: string, isDelivered: boolean): boolean => {
      const webhook = webhooks.get(webhookId);
      if (webhook === undefined || webhook.isFailing !== isDelivered) return false;
      webhook.isFailing = !isDelivered;
      failing += isDelivered ? -webhook.agents.size : webhook.agents.size;
      return isDelivered;
    },
    /** Webhooks that can send no further message now. */
    full: (): string[] => [...webhooks].flatMap(([webhookId, webhook]) => (isFull(webhook) ? [webhookId] : [])),
    /** Messages in flight, of all webhooks. */
    get size(): number {
      return size;
    },
  };
}
