import type { WebhookEvent } from '@agent-trust/contracts';
import { unreachable } from '../decider.ts';

/** The ids of the webhooks that an organisation has. */
export type WebhooksState = { webhookIds: ReadonlySet<string> };

export function evolveWebhooks({ webhookIds }: WebhooksState, event: WebhookEvent): WebhooksState {
  switch (event.type) {
    case 'WebhookRegistered':
      return { webhookIds: new Set(webhookIds).add(event.data.webhookId) };
    case 'WebhookDeleted':
      return { webhookIds: new Set([...webhookIds].filter((webhookId) => webhookId !== event.data.webhookId)) };
    case 'WebhookReplayRequested':
      return { webhookIds };
    default:
      return unreachable(event);
  }
}
