import { randomUUID } from 'node:crypto';
import { isFrequentKey } from '@agent-trust/contracts';
import { type Replica, startReplica } from '@agent-trust/edge-replica/bus';
import { type EventLog, openCheckedEventLog } from '@agent-trust/event-log';
import { followLogState, guardLog, logStateHealth } from '@agent-trust/log-state';
import { connectJetStream, connectRpc, type Rpc } from '@agent-trust/nats-rpc';
import { createGuardedClient, type SafeFetch, type TargetGuard } from '@agent-trust/safe-fetch';
import {
  busAndLogHealth,
  busOptions,
  type carrierSettings,
  failWhenClosed,
  type Logger,
  logRightsCheck,
  reachBus,
  type RunningService,
  type ServiceContext,
  timeToDrain,
  untilReached,
  warnOfLoweredReplica,
} from '@agent-trust/service-kit';
import type { z } from 'zod';
import { toRefusal } from './failures.ts';
import { proxyLimits } from './limits.ts';
import { type Carried, countCircuitChange, measuredFetch, observeCarried } from './proxy-metrics.ts';
import { type KeptDemands, openKeptDemands } from './settlements/kept-demands.ts';
import { tracedFetch } from './traced-fetch.ts';
import { type SettlementOutbox, startSettlementOutbox } from './settlements/settlement-outbox.ts';

export type ProxyDeps = {
  rpc: Rpc;
  /** Targets of requests that are answered from memory. */
  replica: Replica;
  log: EventLog;
  logger: Logger;
  safeFetch: SafeFetch;
  guard: TargetGuard;
  demands: KeptDemands;
  /** Settlements that the log has not taken yet. */
  outbox: SettlementOutbox;
  /** Address of the gateway, without a slash at its end. */
  baseUrl: string;
  callTimeoutMs: number;
  /** Bytes of one answer that is passed on as it arrives. */
  streamedAnswerBytesMax: number;
  newId: () => string;
  now: () => Date;
};

/** Options of a stream method of a proxy that carries at most `requestsMax` requests at a time. */
export function serveOptions(requestsMax: number): { concurrentMax: number; idleTimeoutMs: number } {
  return {
    concurrentMax: requestsMax * proxyLimits.examinedPerCarried,
    idleTimeoutMs: proxyLimits.callerStallMs,
  };
}

/** Starts a proxy that carries requests to agents. `serve` may return other work, which is stopped after the last request. */
export async function startProxy(
  context: ServiceContext<z.output<z.ZodObject<typeof carrierSettings>>>,
  { carried, requestsMax }: { carried: Carried; requestsMax: number },
  serve: (deps: ProxyDeps, requestsMax: number) => Promise<{ stop(): Promise<void> } | undefined>,
): Promise<RunningService> {
  const { name, config, logger, stopping, fail } = context;
  // An unusable log ends the start here, with its own message, and not the first request.
  const stored = await untilReached(context, { name: 'the event log', url: config.EVENT_LOG_URL }, () =>
    openCheckedEventLog(config.EVENT_LOG_URL, {
      applicationName: name,
      rights: logRightsCheck('append', config, logger),
    }),
  );
  const { safeFetch: unmeasured, guard } = createGuardedClient({
    allow: config.OUTBOUND_ALLOW,
    requestsMax,
    agentRequestsPerSecondMax: config.TARGET_CALLS_PER_SECOND_MAX,
    logger,
    onCircuit: countCircuitChange,
  });
  const safeFetch = measuredFetch(unmeasured);
  const stopObserving = observeCarried(carried, guard, requestsMax);
  const bus = busOptions(context);
  const [rpc, jetstream] = await reachBus(
    context,
    Promise.all([connectRpc({ ...bus, toRefusal }), connectJetStream(bus)]),
  );
  for (const { closed } of [rpc, jetstream]) failWhenClosed('the connection to NATS', closed, { stopping, fail });
  const watch = followLogState({ rpc, logger, stopping, fail });
  const log = guardLog(stored, watch);
  warnOfLoweredReplica(config.REPLICA_BYTES, logger);
  const replica = startReplica(
    rpc.connection,
    { service: name, bytesMax: config.REPLICA_BYTES, isFrequent: isFrequentKey, hasWriters: false },
    logger,
  );
  const deps = {
    rpc,
    replica,
    log,
    logger,
    safeFetch: tracedFetch(safeFetch),
    guard,
    demands: openKeptDemands(jetstream, logger),
    outbox: startSettlementOutbox(log, jetstream, logger),
    newId: randomUUID,
    now: () => new Date(),
    baseUrl: config.BASE_URL.replace(/\/$/u, ''),
    callTimeoutMs: config.CALL_TIMEOUT_MS,
    streamedAnswerBytesMax: proxyLimits.streamedAnswerBytesMax,
  };
  const otherWork = await serve(deps, requestsMax);
  return {
    ready: () => rpc.status().connected,
    health: () => busAndLogHealth({ bus: rpc, jetstream, log, logState: () => logStateHealth(watch) }),
    stop: async (timeoutMs) => {
      await rpc.drain(timeToDrain(timeoutMs));
      replica.close();
      await rpc.close();
      await deps.outbox.stop();
      await jetstream.close();
      await otherWork?.stop();
      stopObserving();
      await safeFetch.close();
      // Last, because requests that were cut off still record how they ended.
      await log.close();
    },
  };
}
