/** Longest delay of a timer; Node fires a timer with a longer one at once. */
const timerMsMax = 2 ** 31 - 1;
/** Time that is left may be less than none, of which Node would warn. */
const timerMs = (ms: number): number => Math.min(Math.max(ms, 0), timerMsMax);

export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';

  /** @param what names the work: `reading the event log`. */
  constructor(what: string, timeoutMs: number) {
    super(`${what} took longer than ${timeoutMs} ms`);
  }
}

/** The result of `work`, or a rejection with `late` after `timeoutMs`. The work continues: pass it a signal if it can be cancelled. */
export function withDeadline<Result>(work: Promise<Result>, timeoutMs: number, late: () => Error): Promise<Result> {
  return withFallback(work, timeoutMs, () => {
    throw late();
  });
}

/** The result of `work`, or the result of `fallback` if `work` has not settled after `timeoutMs`; a failure of `work` before that rejects. */
export async function withFallback<Result, Fallback = Result>(
  work: Promise<Result>,
  timeoutMs: number,
  fallback: () => Fallback,
): Promise<Result | Fallback> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), timerMs(timeoutMs));
  try {
    // The race also handles a rejection of `work` that comes after the timeout.
    const first = await Promise.race([work.then((result) => ({ result })), late.promise]);
    return first === null ? fallback() : first.result;
  } finally {
    clearTimeout(timer);
  }
}

/** Waits `ms`, or until `signal` aborts. Resolves with whether the whole time has passed; never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve(false);
    const onAbort = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve(true);
    }, timerMs(ms));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
