import { exchangeEvents, exchangeStream, listOverdueExchanges } from '@agent-trust/contracts';
import { exchangeDecider } from '@agent-trust/domain';
import { createEventRegistry, type EventLog, handleCommand } from '@agent-trust/event-log';
import type { Rpc } from '@agent-trust/nats-rpc';
import type { Logger } from '@agent-trust/service-kit';
import { callProxyLimits } from '../limits.ts';

export type SweepDeps = {
  rpc: Pick<Rpc, 'request'>;
  log: EventLog;
  logger: Logger;
  newId: () => string;
  now: () => Date;
};

const registry = createEventRegistry(exchangeEvents);

/**
 * Ends the exchanges that proxies have left behind when they died. Each is read from the log and ended only where it is open still, expecting the
 * revision that was read: of a late proxy and any number of sweepers one writes the end, and the others find it there.
 *
 * @returns How many are known to be overdue, at most `exchangesMax`.
 * @throws RpcError when trust-projection cannot be asked.
 */
export async function abandonOverdue(deps: SweepDeps): Promise<number> {
  const sweepId = deps.newId();
  const { transactionIds } = await deps.rpc.request(
    listOverdueExchanges,
    { countMax: callProxyLimits.sweep.exchangesMax },
    { timeoutMs: callProxyLimits.sweep.queryTimeoutMs, correlationId: sweepId },
  );
  const outcomes = await Promise.allSettled(
    transactionIds.map((transactionId) => abandon(deps, transactionId, sweepId)),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  // One that could not be ended is overdue at the next search, too.
  if (failed !== undefined)
    deps.logger.warn({ err: failed.reason as unknown }, 'an overdue exchange could not be ended');
  const ended = outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value).length;
  if (ended > 0) deps.logger.warn({ count: ended }, 'exchanges of proxies that are gone were ended as abandoned');
  return transactionIds.length;
}

/** True when it was this sweeper that ended the exchange. */
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
