import { eventLogLimits } from './limits.ts';

/** Wait before attempt `attempt` (from 0), doubled each time up to the limit, with jitter so that a crowd does not come back as one. */
export function backoffMs(attempt: number, maxMs: number = eventLogLimits.reconnectDelayMaxMs): number {
  const ceiling = Math.min(maxMs, eventLogLimits.reconnectDelayMinMs * 2 ** Math.min(attempt, 16));
  return ceiling / 2 + Math.random() * (ceiling / 2);
}

/** Resolves after `ms`, or at once when `signal` is aborted; never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
