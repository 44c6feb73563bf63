import { setTimeout as delay } from 'node:timers/promises';

export type Sleep = {
  ms: number;
  /** Ends the sleep when it resolves, but not before `pauseMs` have passed. */
  moved: (signal: AbortSignal) => Promise<void>;
  pauseMs: number;
};

/** Sleeps until something is to be done; a call of `wake` while nobody sleeps ends the next sleep at once, so that none is lost. */
export type Sleeper = { wake(): void; sleep(sleep: Sleep): Promise<void> };

/** @param ended ends every sleep. */
export function createSleeper(ended: AbortSignal): Sleeper {
  let isWoken = false;
  let wakeUp: (() => void) | null = null;
  return {
    wake: () => {
      isWoken = true;
      wakeUp?.();
    },
    sleep: async ({ ms, moved, pauseMs }) => {
      if (isWoken) {
        isWoken = false;
        return;
      }
      const over = new AbortController();
      const signal = AbortSignal.any([over.signal, ended]);
      const woken = new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      const slept = delay(ms, undefined, { signal }).catch(() => undefined);
      const pausedMove = async (): Promise<void> => {
        await delay(pauseMs, undefined, { signal });
        await moved(signal);
      };
      // A wait for the checkpoint that ends without it, because too many wait or the sleep is over, leaves it at the sleep's own time.
      await Promise.race([woken, slept, pausedMove().catch(() => slept)]);
      wakeUp = null;
      isWoken = false;
      over.abort();
    },
  };
}
