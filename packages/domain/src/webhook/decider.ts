import type { WebhookEvent } from '@agent-trust/contracts';
import { type Decider, unreachable } from '../decider.ts';
import { ensureOwnWebhook } from './own-webhook.ts';
import { evolveWebhooks, type WebhooksState } from './state.ts';
import { ensurePlaceForWebhook } from './webhooks-per-organisation.ts';

type OfWebhook = { orgId: string; webhookId: string; now: string };

/** `now` is RFC 3339. The secret is not among it: only its salt. Refusal: webhook_limit_reached. */
export type RegisterWebhook = OfWebhook & {
  type: 'RegisterWebhook';
  url: string;
  agentIds: string[] | null;
  secretSalt: string;
};
/** Refusal: webhook_not_found. */
export type DeleteWebhook = OfWebhook & { type: 'DeleteWebhook' };
/** Refusal: webhook_not_found. */
export type ReplayWebhook = OfWebhook & { type: 'ReplayWebhook'; fromPosition: string };

export type WebhookCommand = RegisterWebhook | DeleteWebhook | ReplayWebhook;

/** The rules of an organisation's stream of webhooks (`webhooksStream(orgId)`). */
export const webhooksDecider: Decider<WebhookCommand, WebhooksState, WebhookEvent> = {
  initialState: { webhookIds: new Set() },
  evolve: evolveWebhooks,
  decide: (command, state) => {
    const { orgId, webhookId, now } = command;
    switch (command.type) {
      case 'RegisterWebhook': {
        ensurePlaceForWebhook(state);
        const { url, agentIds, secretSalt } = command;
        return [
          { type: 'WebhookRegistered', data: { webhookId, orgId, url, agentIds, secretSalt, registeredAt: now } },
        ];
      }
      case 'DeleteWebhook':
        ensureOwnWebhook(webhookId, state);
        return [{ type: 'WebhookDeleted', data: { webhookId, orgId, deletedAt: now } }];
      case 'ReplayWebhook':
        ensureOwnWebhook(webhookId, state);
        return [
          {
            type: 'WebhookReplayRequested',
            data: { webhookId, orgId, fromPosition: command.fromPosition, requestedAt: now },
          },
        ];
      default:
        return unreachable(command);
    }
  },
};
