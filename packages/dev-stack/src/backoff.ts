const firstDelayMs = 50;
const delayMsMax = 10_000;
/** A process that lived this long is taken for sound: its next crash is a first one again. */
const soundAfterMs = 30_000;

/** How long to wait before a crashed process is started again: soon at first, then twice as long each time, up to a limit. */
export interface RestartBackoff {
  /** @param livedMs how long the process lived before it crashed. */
  readonly nextDelayMs: (livedMs: number) => number;
}

export function restartBackoff(): RestartBackoff {
  let next = firstDelayMs;
  return {
    nextDelayMs: (livedMs) => {
      if (livedMs >= soundAfterMs) next = firstDelayMs;
      const delayMs = next;
      next = Math.min(next * 2, delayMsMax);
      return delayMs;
    },
  };
}
