/** The longest delay of a runtime's timer; a timer with a longer one would fire at once. */
const timerMsMax = 2 ** 31 - 1;

/**
 * A duration in milliseconds; longer ones are cut to a timer's limit of 24 days.
 *
 * @throws TypeError for anything but a number from 0 on: it would not wait at all, or forever.
 */
export function milliseconds(what: string, value: number): number {
  if (typeof value !== 'number' || !(value >= 0)) throw new TypeError(`${what} must be a number from 0 on`);
  return Math.min(value, timerMsMax);
}

/** A timer and the caller's own signal, combined in one signal. */
export type Deadline = {
  readonly signal: AbortSignal;
  /** Whether the timer ended it. */
  hasPassed(): boolean;
  /** Restarts the timer, with this many milliseconds from now. */
  restart(timeoutMs: number): void;
  /** Stops the timer until the next `restart`; the caller's signal still counts. */
  pause(): void;
  /** Removes timer and listener; call it when nothing is waited for any more. */
  end(): void;
};

export function startDeadline(timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let passed = false;
  const ring = (): void => {
    passed = true;
    controller.abort();
  };
  const leave = (): void => controller.abort(caller?.reason);
  let timer = setTimeout(ring, timeoutMs);
  if (caller?.aborted === true) leave();
  else caller?.addEventListener('abort', leave, { once: true });
  return {
    signal: controller.signal,
    hasPassed: () => passed,
    restart: (again) => {
      clearTimeout(timer);
      timer = setTimeout(ring, again);
    },
    pause: () => clearTimeout(timer),
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', leave);
    },
  };
}

/** Waits; if the caller's signal aborts meanwhile, throws its reason. */
export async function pause(waitMs: number, caller: AbortSignal | undefined): Promise<void> {
  const waiting = startDeadline(waitMs, caller);
  try {
    if (!waiting.signal.aborted)
      await new Promise<void>((done) => waiting.signal.addEventListener('abort', () => done(), { once: true }));
  } finally {
    waiting.end();
  }
  caller?.throwIfAborted();
}
