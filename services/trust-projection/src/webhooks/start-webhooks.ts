import { setTimeout as delay } from 'node:timers/promises';
import { type CheckpointWatcher, loadMigrations, migrate } from '@agent-trust/projections';
import { createSafeFetch, createTargetGuard, targetLimitsOf } from '@agent-trust/safe-fetch';
import type { Logger } from '@agent-trust/service-kit';
import pg from 'pg';
import { dispatch } from './dispatcher.ts';
import { webhookLimits } from './limits.ts';
import { openOutboxSession, outboxSchema } from './outbox/session.ts';

export type WebhookConfig = {
  databaseUrl: string;
  webhookSecret: string;
  /** As OUTBOUND_ALLOW. */
  allow: string;
  retryFirstMs: number;
  retryLongestMs: number;
  attemptsMax: number;
  answerMs: number;
};

export type Webhooks = { stop(): Promise<void> };

/** Brings the outbox's schema up to date. */
export async function migrateOutbox(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: webhookLimits.connectTimeoutMs });
  await client.connect();
  try {
    const migrations = await loadMigrations([new URL('./outbox/', import.meta.url)]);
    await migrate(client, { schema: outboxSchema, migrations });
  } finally {
    await client.end();
  }
}

/** Tells webhooks of changes, in one instance at a time: the others wait for its place. */
export function startWebhooks(config: WebhookConfig, watcher: CheckpointWatcher, logger: Logger): Webhooks {
  const limits = targetLimitsOf(webhookLimits.messagesAtOnceMax, webhookLimits.messagesPerSecondPerWebhookMax);
  const safeFetch = createSafeFetch({
    allow: config.allow,
    requestsMax: webhookLimits.messagesAtOnceMax,
    connectionsPerOriginMax: limits.originRequestsMax,
  });
  const guard = createTargetGuard({
    limits,
    onChange: (webhookId, change) => logger.warn({ webhook_id: webhookId }, `the circuit of a webhook has ${change}`),
  });
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const session = await openOutboxSession(config.databaseUrl);
        if (session !== null) {
          try {
            const { answerMs, attemptsMax, webhookSecret } = config;
            const parts = { safeFetch, guard, webhookSecret, answerMs, attemptsMax, retry: config, watcher, logger };
            await dispatch(parts, session, stopping.signal);
          } finally {
            await session.close();
          }
        }
      } catch (err) {
        logger.warn({ err }, 'webhooks cannot be told; trying again');
      }
      await delay(webhookLimits.standbyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
      await safeFetch.close();
    },
  };
}
