import { setTimeout as delay } from 'node:timers/promises';
import { abandonOverdue, type SweepDeps } from './abandon-overdue.ts';
import { sweepLimits } from './limits.ts';

export type Sweeper = { /** Resolves when nothing of it runs any more. */ stop(): Promise<void> };

/** Searches for exchanges that nobody will end, for as long as the proxy runs. A search that fails is made again after the usual pause. */
export function startSweeper(deps: SweepDeps): Sweeper {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    let isMore = false;
    while (await pause(isMore ? sweepLimits.againMs : sweepLimits.everyMs, signal)) {
      try {
        isMore = (await abandonOverdue(deps)) === sweepLimits.exchangesMax;
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

/** False when the sweeper is to stop. */
const pause = (longestMs: number, signal: AbortSignal): Promise<boolean> =>
  delay(longestMs / 2 + (Math.random() * longestMs) / 2, true, { signal, ref: false }).catch(() => false);
