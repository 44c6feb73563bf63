/** How long something may take, and who may end it earlier: a timer and the caller's own signal behind one signal. */
export type Deadline = {
  readonly signal: AbortSignal;
  /** Whether it was the timer that ended it. */
  hasPassed(): boolean;
  /** Counts from now, with this many milliseconds. */
  restart(timeoutMs: number): void;
  /** Stops the timer until the next `restart`; the caller's signal counts on. */
  pause(): void;
  /** To be called when nothing is waited for any more: timer and listener go. */
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

/** Waits, unless the caller leaves: then it throws the signal's reason. */
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
