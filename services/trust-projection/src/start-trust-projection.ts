import { openEventLog } from '@agent-trust/event-log';
import { connectRpc } from '@agent-trust/nats-rpc';
import { wrappingKeyOf } from '@agent-trust/personal-data';
import { createCheckpointWatcher, migrate, openWriterSession, startRunner } from '@agent-trust/projections';
import {
  failWhenClosed,
  type HealthPart,
  healthReport,
  type Logger,
  type RunningService,
  type ServiceContext,
} from '@agent-trust/service-kit';
import { openEmbeddings } from './embeddings/open-embeddings.ts';
import { originOfBaseUrl } from './log-signing/log-settings.ts';
import { startLogSigning } from './log-signing/start-log-signing.ts';
import { startLogRecord } from './audit/start-audit.ts';
import { reach } from './queries/at-least.ts';
import { checkKeysOfPersonalData, contactInfoOpener } from './queries/contact-info.ts';
import { readActivatedPolicies } from './tools/policy/activated-policies.ts';
import { openReadModelDatabase } from './queries/database.ts';
import { createRegistryQueries } from './queries/registry-queries.ts';
import { registryStatus, type RegistryStatus } from './queries/registry-status.ts';
import { readModelSchema, registryReadModel } from './projector/read-models/registry-read-model.ts';
import { toRefusal } from './refusals.ts';
import { serveAgents } from './queries/rpc/agent.ts';
import { serveAudit } from './queries/rpc/audit.ts';
import { serveAuthentication } from './queries/rpc/authentication.ts';
import { serveCapabilities } from './queries/rpc/capability.ts';
import type { QueryContext } from './queries/rpc/context.ts';
import { serveExchanges } from './queries/rpc/exchange.ts';
import { serveOrganisations } from './queries/rpc/organisation.ts';
import { serveReviews } from './queries/rpc/review.ts';
import { serveSearch } from './queries/rpc/search.ts';
import { serveSettlements } from './queries/rpc/settlement.ts';
import { serveStatus } from './queries/rpc/status.ts';
import { serveTrust } from './queries/rpc/trust.ts';
import { serveTransparency } from './queries/rpc/transparency.ts';
import { serveWebhooks } from './queries/rpc/webhook.ts';
import type { TrustProjectionSettings } from './settings.ts';
import { webhookLimits } from './webhooks/limits.ts';
import { migrateOutbox, startWebhooks, type WebhookConfig } from './webhooks/start-webhooks.ts';

export type TrustProjectionConfig = Pick<
  TrustProjectionSettings,
  | 'NATS_URL'
  | 'EVENT_LOG_URL'
  | 'DATABASE_URL'
  | 'INSTANCE_ID'
  | 'AT_LEAST_WAIT_MS'
  | 'LOG_SIGNING_KEY'
  | 'BASE_URL'
  | 'PERSONAL_DATA_KEY'
  | 'WEBHOOK_SECRET'
> &
  Partial<
    Pick<
      TrustProjectionSettings,
      | 'LOG_ORIGIN'
      | 'EMBEDDINGS_URL'
      | 'EMBEDDINGS_MODEL'
      | 'EMBEDDINGS_API_KEY'
      | 'OUTBOUND_ALLOW'
      | 'WEBHOOK_ATTEMPTS_MAX'
      | 'WEBHOOK_RETRY_FIRST_MS'
      | 'WEBHOOK_RETRY_LONGEST_MS'
      | 'WEBHOOK_ANSWER_MS'
    >
  >;

const service = 'trust-projection';

/**
 * Starts the projection and the query server of one instance. Any number of instances answer queries; one of them projects,
 * and another takes over when it goes.
 */
export async function startTrustProjection(
  config: TrustProjectionConfig,
  logger: Logger,
  lifecycle: Pick<ServiceContext<unknown>, 'stopping' | 'fail'>,
): Promise<RunningService> {
  const connection = { connectionString: config.DATABASE_URL, application_name: service };
  const log = await openEventLog(config.EVENT_LOG_URL, { applicationName: service });
  const readModel = await registryReadModel({ policies: () => readActivatedPolicies(log) });
  const session = await openWriterSession(connection, readModelSchema);
  const migrated = await migrate(session, { schema: readModelSchema, migrations: readModel.migrations });
  await session.end();
  if (migrated.length > 0) logger.info({ migrations: migrated }, 'read models migrated');
  await migrateOutbox(config.DATABASE_URL);

  const database = openReadModelDatabase(config.DATABASE_URL, (err) =>
    logger.warn({ err }, 'database connection lost'),
  );
  const watcher = createCheckpointWatcher({ connection, schema: readModelSchema, logger });
  const runner = startRunner({ connection, schema: readModelSchema, log, readModel, logger });
  const webhooks = startWebhooks(webhookConfigOf(config), watcher, logger);
  const logRecord = await startLogRecord({ databaseUrl: config.DATABASE_URL, log, logger });
  const logSigning = await startLogSigning({
    origin: config.LOG_ORIGIN ?? originOfBaseUrl(config.BASE_URL),
    seed: config.LOG_SIGNING_KEY,
    databaseUrl: config.DATABASE_URL,
    log,
    logRecord,
    logger,
  });
  const embeddings = openEmbeddings(config, database, logger);
  let stopFollowing = (): void => undefined;
  const closeAll = async (): Promise<void> => {
    stopFollowing();
    await embeddings?.stop();
    await webhooks.stop();
    await runner.stop();
    await logSigning.stop();
    await logRecord.stop();
    await watcher.close();
    await database.close();
    await log.close();
  };

  const wrappingKey = wrappingKeyOf(config.PERSONAL_DATA_KEY);
  try {
    await checkKeysOfPersonalData(database, wrappingKey);
    const rpc = await connectRpc({
      natsUrl: config.NATS_URL,
      service,
      instanceId: config.INSTANCE_ID,
      logger,
      toRefusal,
    });
    failWhenClosed('the connection to NATS', rpc.closed, lifecycle);
    const queries = createRegistryQueries(
      database,
      (err) => logger.warn({ err }, 'a part of a search failed that no question waited for'),
      embeddings?.ask,
    );
    stopFollowing = await queries.warmUp();
    const context: QueryContext = {
      rpc,
      queries,
      database,
      openContactInfo: contactInfoOpener(database, wrappingKey),
      watcher,
      runner,
      log,
      logRecord,
      logSigning,
      reach: (position, call, timeoutMs = config.AT_LEAST_WAIT_MS) => reach(watcher, position, call, timeoutMs),
    };
    await serveAuthentication(context);
    await serveAgents(context);
    await serveSearch(context);
    await serveCapabilities(context);
    await serveOrganisations(context);
    await serveReviews(context);
    await serveSettlements(context);
    await serveExchanges(context);
    await serveAudit(context);
    await serveTransparency(context);
    await serveTrust(context);
    await serveWebhooks(context);
    await serveStatus(context);
    const busPart = (): HealthPart => ({ status: rpc.status().connected ? 'ok' : 'down' });
    return {
      ready: () => rpc.status().connected,
      health: async () => {
        const { database: db, eventLog, projection, logRecord: recorded } = await registryStatus(context);
        return healthReport({
          message_bus: busPart(),
          database: healthPart(db),
          event_log: healthPart(eventLog),
          projection: followerPart(projection),
          log_record: followerPart(recorded),
          log_signing: signingPart(logSigning.checkpoints.fault()),
        });
      },
      stop: async () => {
        // Take nothing new and answer what runs; only then let go of what running queries need.
        await rpc.drain();
        await rpc.close();
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

const webhookConfigOf = (config: TrustProjectionConfig): WebhookConfig => ({
  databaseUrl: config.DATABASE_URL,
  webhookSecret: config.WEBHOOK_SECRET,
  allow: config.OUTBOUND_ALLOW ?? '',
  retryFirstMs: config.WEBHOOK_RETRY_FIRST_MS ?? webhookLimits.retryFirstMs,
  retryLongestMs: config.WEBHOOK_RETRY_LONGEST_MS ?? webhookLimits.retryLongestMs,
  attemptsMax: config.WEBHOOK_ATTEMPTS_MAX ?? webhookLimits.attemptsMax,
  answerMs: config.WEBHOOK_ANSWER_MS ?? webhookLimits.answerMs,
});

/** Reading goes on while nothing is signed; what is wrong is for operators to look into. */
const signingPart = (fault: string | null): HealthPart =>
  fault === null ? { status: 'ok' } : { status: 'degraded', detail: fault };

const healthPart = ({ status, detail }: { status: HealthPart['status']; detail?: string | undefined }): HealthPart =>
  detail === undefined ? { status } : { status, detail };

const followerPart = (of: RegistryStatus['projection']): HealthPart => ({
  ...healthPart(of),
  position: of.position,
  head_position: of.headPosition,
  lag: of.lag,
});
