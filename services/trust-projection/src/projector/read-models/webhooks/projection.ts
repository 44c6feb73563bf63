import { defineTable } from '@agent-trust/projections';
import { pick } from '../../../shared/pick.ts';
import type { RegistryProjection } from '../registry-event.ts';
import { noticeOf, webhookNotices } from './notices.ts';

export const webhooks = defineTable({
  name: 'webhook',
  columns: {
    webhookId: 'text',
    orgId: 'text',
    url: 'text',
    /** Null: all of the organisation's own agents. */
    agentIds: 'text[]?',
    secretSalt: 'text',
    registeredAt: 'timestamptz',
    registeredPosition: 'bigint',
  },
  key: ['webhookId'],
});

/** A replay that was asked for by the event at `position`. */
export const webhookReplays = defineTable({
  name: 'webhook_replay',
  columns: { webhookId: 'text', position: 'bigint', fromPosition: 'bigint' },
  key: ['webhookId', 'position'],
  appendOnly: true,
});

export const webhooksProjection: RegistryProjection = {
  name: 'webhooks',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [webhooks, webhookReplays, webhookNotices],
  reads: () => undefined,
  apply: (event, rows) => {
    const notice = noticeOf(event);
    if (notice !== null) rows.insert(webhookNotices, notice);
    switch (event.type) {
      case 'WebhookRegistered': {
        rows.put(webhooks, {
          ...pick(event.data, 'webhookId', 'orgId', 'url', 'agentIds', 'secretSalt'),
          registeredAt: new Date(event.data.registeredAt),
          registeredPosition: event.position,
        });
        return;
      }
      case 'WebhookReplayRequested': {
        const { webhookId, fromPosition } = event.data;
        rows.insert(webhookReplays, { webhookId, position: event.position, fromPosition: BigInt(fromPosition) });
        return;
      }
      case 'WebhookDeleted':
        rows.delete(webhooks, event.data.webhookId);
        return;
      default:
    }
  },
};
