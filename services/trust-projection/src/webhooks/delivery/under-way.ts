import { webhookLimits } from '../limits.ts';
import type { DueDelivery } from '../outbox/deliveries.ts';

/**
 * Limits messages in flight: one at a time for each agent, so that its changes arrive in order; a few for each webhook; one for a failing
 * webhook, so that consumers that never answer do not take the capacity of others.
 */
export type UnderWay = {
  /** Takes a place for a message; false where there is none now. */
  enter(delivery: DueDelivery): boolean;
  leave(delivery: DueDelivery): void;
  /** The consumer took a message, or did not. Answers whether that is a change for the better. */
  settle(webhookId: string, isDelivered: boolean): boolean;
  /** Webhooks that can send no further message now. */
  full(): string[];
  /** Messages under way, of all webhooks. */
  readonly size: number;
};

type Webhook = { agents: Set<string>; isFailing: boolean };

export function createUnderWay(): UnderWay {
  // A webhook is here while it has messages under way, and while it is failing.
  const webhooks = new Map<string, Webhook>();
  let size = 0;
  let failing = 0;
  const isFull = ({ agents, isFailing }: Webhook): boolean =>
    isFailing
      ? agents.size >= webhookLimits.messagesAtOnceFailingMax || failing >= webhookLimits.messagesAtOnceOfFailingMax
      : agents.size >= webhookLimits.messagesAtOncePerWebhookMax;
  return {
    enter: ({ webhookId, agentId }) => {
      const webhook = webhooks.get(webhookId) ?? { agents: new Set(), isFailing: false };
      if (size >= webhookLimits.messagesAtOnceMax || isFull(webhook) || webhook.agents.has(agentId)) return false;
      webhook.agents.add(agentId);
      webhooks.set(webhookId, webhook);
      size += 1;
      if (webhook.isFailing) failing += 1;
      return true;
    },
    leave: ({ webhookId, agentId }) => {
      const webhook = webhooks.get(webhookId);
      if (webhook?.agents.delete(agentId) !== true) return;
      size -= 1;
      if (webhook.isFailing) failing -= 1;
      if (webhook.agents.size === 0 && !webhook.isFailing) webhooks.delete(webhookId);
    },
    settle: (webhookId, isDelivered) => {
      const webhook = webhooks.get(webhookId);
      if (webhook === undefined || webhook.isFailing !== isDelivered) return false;
      webhook.isFailing = !isDelivered;
      failing += isDelivered ? -webhook.agents.size : webhook.agents.size;
      return isDelivered;
    },
    full: () => [...webhooks].flatMap(([webhookId, webhook]) => (isFull(webhook) ? [webhookId] : [])),
    get size() {
      return size;
    },
  };
}
