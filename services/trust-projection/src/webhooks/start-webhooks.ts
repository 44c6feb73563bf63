import { setTimeout as delay } from 'node:timers/promises';
import { loadMigrations, migrate } from '@agent-trust/event-log';
import { createSafeFetch, createTargetGuard, targetLimitsOf } from '@agent-trust/safe-fetch';
import type { Logger } from '@agent-trust/service-kit';
import { webhookSecretsFrom } from '@agent-trust/webhook-signature';
import { type ReadModelDatabase, withConnection } from '../shared/database.ts';
import type { TrustProjectionSettings } from '../settings.ts';
import type { LogFollower } from '../shared/log-follower.ts';
import { dispatch, type DispatcherParts } from './dispatcher.ts';
import { webhookLimits } from './limits.ts';
import { observeOutbox } from './observe-outbox.ts';
import { openOutboxSession, outboxSchema } from './outbox/session.ts';
import { webhookMethods } from './queries.ts';

/** Sends changes of trust scores and notices to webhooks, from one instance at a time, and answers organisations' queries about theirs. */
export async function startWebhooks(parts: {
  settings: TrustProjectionSettings;
  databaseUrl: string;
  readModels: Pick<LogFollower, 'watcher' | 'reach'>;
  database: ReadModelDatabase;
  logger: Logger;
}): Promise<{ methods: ReturnType<typeof webhookMethods>; stop: () => Promise<void> }> {
  const { settings, databaseUrl, readModels, database, logger } = parts;
  await migrateOutbox(databaseUrl);
  const limits = targetLimitsOf(webhookLimits.messagesAtOnceMax, webhookLimits.messagesPerSecondPerWebhookMax);
  const safeFetch = createSafeFetch({
    allow: settings.OUTBOUND_ALLOW,
    requestsMax: webhookLimits.messagesAtOnceMax,
    connectionsPerOriginMax: limits.originRequestsMax,
  });
  const guard = createTargetGuard({
    limits,
    onChange: (webhookId, change) => logger.warn({ webhook_id: webhookId }, `the circuit of a webhook has ${change}`),
  });
  const dispatcher: DispatcherParts = {
    safeFetch,
    guard,
    watcher: readModels.watcher,
    logger,
    webhookSecrets: webhookSecretsFrom(settings.WEBHOOK_SECRET, settings.WEBHOOK_SECRET_PREVIOUS),
    answerMs: settings.WEBHOOK_ANSWER_MS,
    attemptsMax: settings.WEBHOOK_ATTEMPTS_MAX,
    retry: { retryFirstMs: settings.WEBHOOK_RETRY_FIRST_MS, retryLongestMs: settings.WEBHOOK_RETRY_LONGEST_MS },
  };
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const session = await openOutboxSession(databaseUrl);
        if (session !== null) await dispatch(dispatcher, session, stopping.signal).finally(() => session.close());
      } catch (err) {
        logger.warn({ err }, 'webhooks cannot be sent; trying again');
      }
      await delay(webhookLimits.standbyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  const stopObserving = observeOutbox(database);
  return {
    methods: webhookMethods(database, readModels),
    stop: async () => {
      stopping.abort();
      stopObserving();
      await running;
      await safeFetch.close();
    },
  };
}

export async function migrateOutbox(connectionString: string): Promise<void> {
  const migrations = await loadMigrations(new URL('./outbox/', import.meta.url));
  await withConnection({ connectionString, connectionTimeoutMillis: webhookLimits.connectTimeoutMs }, (client) =>
    migrate(client, { schema: outboxSchema, migrations }),
  );
}
