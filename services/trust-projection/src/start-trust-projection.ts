import { unaryMethodsOf } from '@agent-trust/contracts';
import { openCheckedEventLog } from '@agent-trust/event-log';
import { connectRpc, serveAll } from '@agent-trust/nats-rpc';
import { wrappingKeyOf } from '@agent-trust/personal-data';
import {
  busOptions,
  failWhenClosed,
  type Logger,
  logRightsCheck,
  reachBus,
  type RunningService,
  type ServiceContext,
  untilReached,
} from '@agent-trust/service-kit';
import { auditMethods } from './audit/audit-methods.ts';
import { startLogRecord } from './audit/start-log-record.ts';
import { startEmbeddings } from './embeddings/start-embeddings.ts';
import { originOfBaseUrl } from './settings.ts';
import { chooseOrigin } from './log-signing/log-origin.ts';
import { startLogState } from './log-state/start-log-state.ts';
import { startLogSigning } from './log-signing/start-log-signing.ts';
import { describedCapabilities } from './projector/read-models/capability-taxonomy/queries.ts';
import { rememberPositions } from './recent-positions.ts';
import { observeFollowers } from './observe-followers.ts';
import { instanceState, operationsMethods } from './operations.ts';
import { startPolicyLab } from './policy-lab/start-policy-lab.ts';
import { startProjector } from './projector/start-projector.ts';
import { startQueries } from './queries/start-queries.ts';
import { startReplays } from './replays/start-replays.ts';
import { replicaGate } from './replicas/lead-replicas.ts';
import { migrateLeadership } from './replicas/leadership-rows.ts';
import type { TrustProjectionSettings } from './settings.ts';
import { checkDatabase, openReadModelDatabase } from './shared/database.ts';
import { toRefusal } from './shared/refusals.ts';
import { healthOf, statusMethods } from './status.ts';
import { defaultLimitsOf } from './usage/settings.ts';
import { startUsage } from './usage/start-usage.ts';
import { startWebhooks } from './webhooks/start-webhooks.ts';

/** Starts the parts of one instance. Parts know each other only by what is passed here, so each could be a process of its own. */
export async function startTrustProjection(
  config: TrustProjectionSettings,
  logger: Logger,
  lifecycle: Pick<ServiceContext<unknown>, 'starting' | 'waits' | 'stopping' | 'fail'>,
): Promise<RunningService> {
  const { DATABASE_URL: databaseUrl, EVENT_LOG_URL: eventLogUrl } = config;
  const service = 'trust-projection';
  const parts = new AsyncDisposableStack();
  const started = <Part extends { stop: () => Promise<void> }>(part: Part): Part => {
    parts.defer(() => part.stop());
    return part;
  };
  try {
    const log = parts.adopt(
      await untilReached(lifecycle, { name: 'the event log', url: eventLogUrl }, () =>
        openCheckedEventLog(eventLogUrl, { applicationName: service, rights: logRightsCheck('read', config, logger) }),
      ),
      (it) => it.close(),
    );
    await untilReached(lifecycle, { name: 'the database', url: databaseUrl }, () => checkDatabase(databaseUrl));
    const database = parts.adopt(openReadModelDatabase(databaseUrl, logger), (it) => it.close());
    const context = { name: service, config, logger, ...lifecycle };
    const rpc = parts.adopt(await reachBus(context, connectRpc({ ...busOptions(context), toRefusal })), (it) =>
      it.close(),
    );

    const { starting, stopping } = lifecycle;
    const shared = { databaseUrl, log, database, logger, starting, stopping };
    // First, because it may replay the log: nothing else may stand between the switch of the read models and the first answer from them.
    const logRecord = started(await startLogRecord(shared));
    await migrateLeadership(databaseUrl);
    const gate = replicaGate({ connection: rpc.connection, log, logger });
    const { AT_LEAST_WAIT_MS: reachTimeoutMs, EXCHANGE_RETENTION: exchangeRetentionMs = null } = config;
    const readModels = started(await startProjector({ ...shared, gate, reachTimeoutMs, exchangeRetentionMs }));
    const embeddings = startEmbeddings({
      url: config.EMBEDDINGS_URL,
      model: config.EMBEDDINGS_MODEL,
      apiKey: config.EMBEDDINGS_API_KEY,
      loadCapabilities: (countMax) => describedCapabilities(database, countMax),
      logger,
    });
    if (embeddings !== null) started(embeddings);
    const wrappingKey = wrappingKeyOf(config.PERSONAL_DATA_KEY, config.PERSONAL_DATA_KEY_PREVIOUS);
    const queries = started(
      await startQueries({
        ...shared,
        readModels,
        wrappingKey,
        askEmbeddings: embeddings?.ask,
        visibleState: gate.visibleState,
      }),
    );
    const logSigning = started(
      await startLogSigning({
        ...shared,
        originFor: (recorded) =>
          chooseOrigin(
            recorded,
            { configured: config.LOG_ORIGIN, byAddress: originOfBaseUrl(config.BASE_URL) },
            logger,
          ),
        seed: config.LOG_SIGNING_KEY,
        previousSeed: config.LOG_SIGNING_KEY_PREVIOUS,
        witnesses: config.LOG_WITNESSES ?? [],
        logRecord,
        agents: queries,
      }),
    );
    // After signing has made its schema, which remembers acceptances, and before anything is answered.
    const logState = started(await startLogState({ ...shared, fail: lifecycle.fail }));
    const webhooks = started(await startWebhooks({ ...shared, readModels, settings: config }));
    const usage = started(await startUsage({ ...shared, readModels, defaults: defaultLimitsOf(config) }));
    const { INSTANCE_ID: instanceId } = config;
    const replays = started(
      await startReplays({ databaseUrl, eventLogUrl, natsUrl: config.NATS_URL, log, instanceId, logger }),
    );
    const policyLab = started(await startPolicyLab({ databaseUrl, eventLogUrl, log, instanceId, logger }));
    rpc.describe(() => instanceState(readModels.status()));

    const followers = { read_models: { ...readModels, database }, log_record: logRecord };
    parts.defer(observeFollowers(log, followers, logState.fault));
    const positions = rememberPositions({ log, database });
    parts.defer(positions.stop);
    rpc.describeRecent(positions.shown);
    const status = {
      rpc,
      log,
      readModels: { ...readModels, database },
      logRecord,
      logFault: logState.fault,
      signingFault: logSigning.fault,
    };
    await serveAll(rpc, unaryMethodsOf('trust-projection'), {
      ...statusMethods(status),
      getLogState: () => ({ accepted: logState.accepted(), fault: logState.fault() }),
      ...queries.methods,
      ...auditMethods({
        log,
        record: logRecord,
        findAgent: queries.findAgent,
        findPaymentsOfCall: queries.findPaymentsOfCall,
      }),
      ...logSigning.methods,
      ...webhooks.methods,
      ...replays.methods,
      ...policyLab.methods,
      ...usage.methods,
      ...operationsMethods({
        log,
        database,
        lastSigned: logSigning.lastSigned,
        witnesses: logSigning.witnesses,
        signingFault: logSigning.fault,
        runningReplay: replays.running,
      }),
    });
    failWhenClosed('the connection to NATS', rpc.closed, lifecycle);
    return {
      ready: () => rpc.status().connected,
      health: () => healthOf(status),
      stop: async () => {
        // Takes nothing new and answers what runs; only then stops what running queries need.
        await rpc.drain();
        // On the bus it asks gateways to answer from memory no more, so that the next leader need not wait.
        await readModels.stop();
        await rpc.close();
        await parts.disposeAsync();
      },
    };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}
