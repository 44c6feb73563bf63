import { randomUUID } from 'node:crypto';
import { openCheckedEventLog } from '@agent-trust/event-log';
import { connectRpc } from '@agent-trust/nats-rpc';
import { createGuardedClient } from '@agent-trust/safe-fetch';
import { busAndLogHealth, failWhenClosed, runService, timeToDrain } from '@agent-trust/service-kit';
import { openKeptDemands } from '@agent-trust/settlements';
import { toRefusal } from './refusals.ts';
import { createA2aWireForms } from './request/a2a-wire-forms.ts';
import { serveCalls } from './serve-calls.ts';
import { callProxySettings } from './settings.ts';
import { createFallbackCache } from './fallback.ts';
import { startSweeper } from './sweeper/start-sweeper.ts';

await runService({
  name: 'call-proxy',
  settings: callProxySettings,
  start: async ({ name, config, logger, stopping, fail }) => {
    // A log that cannot be used ends the start here, with its own words, rather than the first request.
    const log = await openCheckedEventLog(config.EVENT_LOG_URL, { applicationName: name });
    const { safeFetch, guard } = createGuardedClient({
      allow: config.OUTBOUND_ALLOW,
      requestsMax: config.CALL_CONCURRENCY_MAX,
      agentRequestsPerSecondMax: config.TARGET_CALLS_PER_SECOND_MAX,
      logger,
    });
    const rpc = await connectRpc({
      natsUrl: config.NATS_URL,
      service: name,
      instanceId: config.INSTANCE_ID,
      logger,
      toRefusal,
    });
    failWhenClosed('the connection to NATS', rpc.closed, { stopping, fail });
    await serveCalls(
      rpc,
      {
        rpc,
        log,
        logger,
        safeFetch,
        guard,
        fallbacks: createFallbackCache(),
        demands: openKeptDemands(rpc.connection, logger),
        wireForms: createA2aWireForms(),
        newId: randomUUID,
        now: () => new Date(),
        baseUrl: config.BASE_URL.replace(/\/$/u, ''),
        callTimeoutMs: config.CALL_TIMEOUT_MS,
      },
      config.CALL_CONCURRENCY_MAX,
    );
    const sweeper = startSweeper({ rpc, log, logger, newId: randomUUID, now: () => new Date() });
    return {
      ready: () => rpc.status().connected,
      health: () => busAndLogHealth({ bus: rpc, log }),
      stop: async (timeoutMs) => {
        // Take nothing new and finish what runs; calls that are cut off then record how they ended, so the log goes last.
        await rpc.drain(timeToDrain(timeoutMs));
        await rpc.close();
        await sweeper.stop();
        await safeFetch.close();
        await log.close();
      },
    };
  },
});
