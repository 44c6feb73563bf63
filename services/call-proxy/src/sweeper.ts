import { exchangeEvents, exchangeStream, listOverdueExchanges } from '@agent-trust/contracts';
import { exchangeDecider } from '@agent-trust/domain';
import { createEventRegistry, type EventLog, handleCommand } from '@agent-trust/event-log';
import { pause } from '@agent-trust/limits';
import type { Rpc } from '@agent-trust/nats-rpc';
import type { Logger } from '@agent-trust/service-kit';
import { callProxyLimits } from './limits.ts';

export type SweepDeps = {
  rpc: Pick<Rpc, 'request'>;
  log: EventLog;
  logger: Logger;
  newId: () => string;
  now: () => Date;
};

const { againMs, everyMs, exchangesMax, queryTimeoutMs } = callProxyLimits.sweep;

/** Ends overdue exchanges for as long as the proxy runs. `stop` resolves when the last search has ended. */
export function startSweeper(deps: SweepDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    let isMore = false;
    while (await pause((isMore ? againMs : everyMs) * (0.5 + Math.random() / 2), stopping.signal)) {
      try {
        isMore = (await abandonOverdue(deps)) === exchangesMax;
      } catch (error) {
        isMore = false;
        deps.logger.warn({ err: error }, 'overdue exchanges could not be searched for');
      }
    }
  };
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

const registry = createEventRegistry(exchangeEvents);

/**
 * Ends the exchanges of proxies that died. Each is read from the log, and ended only if it is still open and has the revision that was read: of a
 * late proxy and any number of sweepers, one records the end and the others find it.
 *
 * @returns the number of known overdue exchanges, at most `exchangesMax`.
 * @throws RpcError if trust-projection does not answer.
 */
export async function abandonOverdue(deps: SweepDeps): Promise<number> {
  const sweepId = deps.newId();
  const { transactionIds } = await deps.rpc.request(
    listOverdueExchanges,
    { countMax: exchangesMax },
    { timeoutMs: queryTimeoutMs, correlationId: sweepId },
  );
  const outcomes = await Promise.allSettled(
    transactionIds.map((transactionId) => abandon(deps, transactionId, sweepId)),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  // It is overdue in the next search, too.
  if (failed !== undefined)
    deps.logger.warn({ err: failed.reason as unknown }, 'an overdue exchange could not be ended');
  const count = outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value).length;
  if (count > 0) deps.logger.warn({ count }, 'exchanges of dead proxies were ended as abandoned');
  return transactionIds.length;
}

const abandon = async (deps: SweepDeps, transactionId: string, sweepId: string): Promise<boolean> => {
  const { events } = await handleCommand({
    log: deps.log,
    registry,
    decider: exchangeDecider,
    stream: exchangeStream(transactionId),
    command: { type: 'AbandonExchange', now: deps.now().toISOString() },
    metadata: { correlationId: sweepId, actor: { kind: 'system', id: 'call-proxy', credentials: [] } },
    newEventId: deps.newId,
  });
  return events.length > 0;
};
