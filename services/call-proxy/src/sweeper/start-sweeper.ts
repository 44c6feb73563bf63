import { pause } from '@agent-trust/limits';
import { abandonOverdue, type SweepDeps } from './abandon-overdue.ts';
import { callProxyLimits } from '../limits.ts';

export type Sweeper = { /** Resolves when nothing of it runs any more. */ stop(): Promise<void> };

/** Searches for exchanges that nobody will end, for as long as the proxy runs. A search that fails is made again after the usual pause. */
export function startSweeper(deps: SweepDeps): Sweeper {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    const { againMs, everyMs, exchangesMax } = callProxyLimits.sweep;
    let isMore = false;
    while (await pause((isMore ? againMs : everyMs) * (0.5 + Math.random() / 2), signal)) {
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
