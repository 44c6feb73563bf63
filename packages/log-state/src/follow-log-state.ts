import { getLogState } from '@agent-trust/contracts';
import { pause } from '@agent-trust/limits';
import type { Rpc } from '@agent-trust/nats-rpc';
import type { HealthPart, Logger, ServiceContext } from '@agent-trust/service-kit';

/** How often trust-projection is asked, how often while it has not answered yet, and how long it may take. */
const askEveryMs = 500;
const askUnansweredEveryMs = 100;
const answerWithinMs = 2_000;
/** How long whoever must know the state waits in a process that has just started. */
const knownWithinMs = 5_000;

/** What trust-projection says of the log: how often the operator has accepted another one, and why the present one is not that of the read models. */
export type LogState = { accepted: number; fault: string | null };

/** The state of the event log, as a process knows it. */
export type LogWatch = {
  /** Null until trust-projection has answered once; later the last answer. */
  state(): LogState | null;
  /** The state as soon as it is known; null if it is not within 5 s. */
  whenKnown(): Promise<LogState | null>;
  /** Notes that this process has found the log replaced, before trust-projection said so. */
  replaced(fault: string): void;
};

type Parts = {
  rpc: Pick<Rpc, 'request'>;
  logger: Pick<Logger, 'error' | 'info'>;
} & Pick<ServiceContext<unknown>, 'stopping' | 'fail'>;

/**
 * Follows the state of the event log. When the operator has accepted another log than the one that this process began with, the process ends
 * and is started again: what it knows from memory is of the former log.
 */
export function followLogState({ rpc, logger, stopping, fail }: Parts): LogWatch {
  let state: LogState | null = null;
  const isKnown = new AbortController();

  const take = (next: LogState): void => {
    const before = state;
    if (before !== null && next.accepted !== before.accepted) {
      fail(
        new Error('the operator has accepted another event log: starting again, because memory is of the former one'),
      );
      return;
    }
    state = next;
    isKnown.abort();
    if (next.fault === (before?.fault ?? null)) return;
    if (next.fault === null) logger.info('the event log is the one of the read models again');
    else logger.error({ fault: next.fault }, 'nothing is written: the event log is not the one of the read models');
  };
  const follow = async (): Promise<void> => {
    while (!stopping.aborted) {
      // While trust-projection does not answer, what it said last holds.
      await rpc.request(getLogState, {}, { timeoutMs: answerWithinMs }).then(take, () => undefined);
      await pause(state === null ? askUnansweredEveryMs : askEveryMs, stopping);
    }
  };
  void follow();
  return {
    state: () => state,
    whenKnown: async () => {
      if (state === null) await pause(knownWithinMs, AbortSignal.any([isKnown.signal, stopping]));
      return state;
    },
    replaced: (fault) => take({ accepted: state?.accepted ?? 0, fault }),
  };
}

/** The log as a part of a service's health; nothing while its state is not known. */
export function logStateHealth(watch: Pick<LogWatch, 'state'>): { log_state?: HealthPart } {
  const state = watch.state();
  if (state === null) return {};
  return { log_state: state.fault === null ? { status: 'ok' } : { status: 'down', detail: state.fault } };
}
