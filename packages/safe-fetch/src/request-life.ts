import { OutboundError } from './outbound-error.ts';

/** From the start of a request to the end of its answer's body. */
export type RequestLife = {
  /** Aborts when the total time is over or the caller cancels. */
  signal: AbortSignal;
  /** Ends the request for this reason, unless it has one already. */
  fail: (error: OutboundError) => void;
  /** The reason for which this side ended the request, if it did. */
  failure: () => OutboundError | undefined;
  /** The result of `work`, or the failure as soon as there is one; a late result goes to `dispose`. */
  orEnded<Result>(work: Promise<Result>, dispose: (late: Result) => unknown): Promise<Result>;
  /** Releases timer, listener and place; harmless if repeated. */
  end: () => void;
};

/** @param release Called once, at the end. */
export function startRequestLife(
  totalMs: number,
  callerSignal: AbortSignal | undefined,
  release: () => void,
): RequestLife {
  const controller = new AbortController();
  const endedEarly = Promise.withResolvers<never>();
  // While the body is being read, nobody may be waiting for this promise.
  endedEarly.promise.catch(() => {});
  let failure: OutboundError | undefined;
  let isEnded = false;

  const fail = (error: OutboundError): void => {
    failure ??= error;
    controller.abort(failure);
    endedEarly.reject(failure);
    end();
  };
  const onAbort = (): void => fail(new OutboundError('aborted', 'aborted', callerSignal?.reason));
  const timer = setTimeout(() => fail(new OutboundError('timeout', 'total_timeout')), totalMs);
  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    clearTimeout(timer);
    callerSignal?.removeEventListener('abort', onAbort);
    release();
  };
  if (callerSignal?.aborted) onAbort();
  else callerSignal?.addEventListener('abort', onAbort, { once: true });

  return {
    signal: controller.signal,
    fail,
    failure: () => failure,
    // undici notices an abort only after the connection is made, so waiting for undici alone would block the caller.
    orEnded: async (work, dispose) => {
      work.then(
        (result) => failure && dispose(result),
        () => {},
      );
      return Promise.race([work, endedEarly.promise]);
    },
    end,
  };
}
