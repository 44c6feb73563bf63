import { anyTable, defineTable } from '@agent-trust/projections';
import type { RegistryProjection } from '../registry-event.ts';

export type WebhookRow = {
  webhookId: string;
  orgId: string;
  url: string;
  /** Null: all of the organisation's own agents. */
  agentIds: string[] | null;
  secretSalt: string;
  registeredAt: Date;
  registeredPosition: bigint;
  replayPosition: bigint | null;
  replayFrom: bigint | null;
};

export const webhooks = defineTable<WebhookRow>({
  name: 'webhook',
  columns: {
    webhookId: 'text',
    orgId: 'text',
    url: 'text',
    agentIds: 'text[]',
    secretSalt: 'text',
    registeredAt: 'timestamptz',
    registeredPosition: 'bigint',
    replayPosition: 'bigint',
    replayFrom: 'bigint',
  },
  key: ['webhookId'],
});

export const webhooksProjection: RegistryProjection = {
  name: 'webhooks',
  tables: [anyTable(webhooks)],
  reads: (event, wanted) => {
    if (event.type === 'WebhookReplayRequested') wanted.row(webhooks, event.data.webhookId);
  },
  apply: (event, rows) => {
    switch (event.type) {
      case 'WebhookRegistered': {
        const { webhookId, orgId, url, agentIds, secretSalt, registeredAt } = event.data;
        rows.put(webhooks, {
          webhookId,
          orgId,
          url,
          agentIds,
          secretSalt,
          registeredAt: new Date(registeredAt),
          registeredPosition: event.position,
          replayPosition: null,
          replayFrom: null,
        });
        return;
      }
      case 'WebhookReplayRequested': {
        const webhook = rows.get(webhooks, event.data.webhookId);
        if (webhook === undefined) return;
        rows.put(webhooks, {
          ...webhook,
          replayPosition: event.position,
          replayFrom: BigInt(event.data.fromPosition),
        });
        return;
      }
      case 'WebhookDeleted':
        rows.delete(webhooks, event.data.webhookId);
        return;
      default:
    }
  },
};
