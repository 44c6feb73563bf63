import { randomUUID } from 'node:crypto';
import { openCheckedEventLog } from '@agent-trust/event-log';
import { followLogState, guardLog, logStateHealth } from '@agent-trust/log-state';
import { connectRpc } from '@agent-trust/nats-rpc';
import { openKeyStore, wrappingKeyOf } from '@agent-trust/personal-data';
import {
  busAndLogHealth,
  busOptions,
  failWhenClosed,
  logRightsCheck,
  reachBus,
  runService,
  untilReached,
} from '@agent-trust/service-kit';
import { loadTaxonomy } from '@agent-trust/taxonomy';
import { policyV2 } from '@agent-trust/trust-policy';
import { activateFirstPolicy, untilFirstPolicy } from './first-policy.ts';
import { createKnownStreams } from './known-streams.ts';
import { toRefusal } from './refusals.ts';
import { serveCommands } from './serve-commands.ts';
import { followSeedTaxonomy } from './seed-taxonomy.ts';
import { registryWriteSettings } from './settings.ts';
import { keepPublishing, publishTaxonomy } from './publish-taxonomy.ts';

await runService({
  name: 'registry-write',
  settings: registryWriteSettings,
  start: async (context) => {
    const { name, config, logger, stopping, fail } = context;
    const seed = await loadTaxonomy();
    // An unusable log fails the start with its own message, instead of the first request.
    const stored = await untilReached(context, { name: 'the event log', url: config.EVENT_LOG_URL }, () =>
      openCheckedEventLog(config.EVENT_LOG_URL, {
        applicationName: name,
        rights: logRightsCheck('append', config, logger),
      }),
    );
    const contactKeys = openKeyStore(
      config.PERSONAL_DATA_DATABASE_URL,
      wrappingKeyOf(config.PERSONAL_DATA_KEY, config.PERSONAL_DATA_KEY_PREVIOUS),
      (err) => logger.warn({ err }, 'connection to the keys of personal data lost'),
    );
    await untilReached(context, { name: 'the database', url: config.PERSONAL_DATA_DATABASE_URL }, () =>
      contactKeys.check(),
    );
    const rpc = await reachBus(context, connectRpc({ ...busOptions(context), toRefusal }));
    failWhenClosed('the connection to NATS', rpc.closed, { stopping, fail });
    const watch = followLogState({ rpc, logger, stopping, fail });
    const log = guardLog(stored, watch);
    const now = (): Date => new Date();
    // v1 needs no event: it is in force where no other policy is.
    if (config.TRUST_POLICY_AT_FIRST_START === 'v2') {
      await untilFirstPolicy(() => activateFirstPolicy({ log, now }, policyV2), { logger, stopping });
    }
    await keepPublishing(() => publishTaxonomy({ log, now }, seed), {
      logger,
      stopping,
    });
    await serveCommands(rpc, {
      log,
      rpc,
      known: createKnownStreams(),
      seed: followSeedTaxonomy(log, { logger, stopping }),
      contactKeys,
      now,
      newId: randomUUID,
      claimTtlSeconds: config.CLAIM_TOKEN_TTL_SECONDS,
    });
    return {
      ready: () => rpc.status().connected,
      health: () => busAndLogHealth({ bus: rpc, log, logState: () => logStateHealth(watch) }),
      stop: async () => {
        await rpc.drain();
        await rpc.close();
        await contactKeys.close();
        await log.close();
      },
    };
  },
});
