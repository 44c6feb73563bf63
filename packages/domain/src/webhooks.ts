import { DomainError, limits, type WebhookEvent } from '@agent-trust/contracts';
import { type Decider, unreachable } from './decider.ts';

type OfWebhook = { orgId: string; webhookId: string; now: string };

/** `now` is RFC 3339; `secretSalt` is all that the log has of the secret. Refusal: webhook_limit_reached. */
export type RegisterWebhook = OfWebhook & {
  type: 'RegisterWebhook';
  url: string;
  agentIds: string[] | null;
  secretSalt: string;
};
/** Refusal of both: webhook_not_found. */
type DeleteWebhook = OfWebhook & { type: 'DeleteWebhook' };
type ReplayWebhook = OfWebhook & { type: 'ReplayWebhook'; fromPosition: string };

type WebhookCommand = RegisterWebhook | DeleteWebhook | ReplayWebhook;

/** The ids of an organisation's webhooks. */
type WebhooksState = { webhookIds: ReadonlySet<string> };

/** The rules of an organisation's stream of webhooks (`webhooksStream(orgId)`). */
export const webhooksDecider: Decider<WebhookCommand, WebhooksState, WebhookEvent> = {
  initialState: { webhookIds: new Set() },
  evolve: ({ webhookIds }, event) => {
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
  },
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
      case 'ReplayWebhook': {
        ensureOwnWebhook(webhookId, state);
        const { fromPosition } = command;
        return [{ type: 'WebhookReplayRequested', data: { webhookId, orgId, fromPosition, requestedAt: now } }];
      }
      default:
        return unreachable(command);
    }
  },
};

/** Another organisation's webhook counts as unknown: the answer must not reveal that it exists. */
const ensureOwnWebhook = (webhookId: string, { webhookIds }: WebhooksState): void => {
  if (!webhookIds.has(webhookId))
    throw new DomainError('webhook_not_found', 'the organisation has no webhook of this id');
};

/** Bounded because each change of a score is a message to each webhook. */
const ensurePlaceForWebhook = ({ webhookIds }: WebhooksState): void => {
  if (webhookIds.size < limits.webhooksPerOrgMax) return;
  throw new DomainError(
    'webhook_limit_reached',
    `the organisation has ${webhookIds.size} webhooks and may have ${limits.webhooksPerOrgMax}; one must be deleted first`,
  );
};
