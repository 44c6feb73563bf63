import type { StopRequest } from './stop-requests.ts';

/** How long a user at a terminal waits, and how long a process may live on without its supervisor. */
const hurriedStopMsMax = 10_000;

/**
 * How long stopping may take. Orchestrators replace a process by SIGTERM: it gets all of `stopTimeoutMs`, so that work under way can finish. After
 * Ctrl-C, or the end of the supervisor, it has less.
 */
export function timeToStop(request: StopRequest, stopTimeoutMs: number): number {
  return request === 'SIGTERM' ? stopTimeoutMs : Math.min(stopTimeoutMs, hurriedStopMsMax);
}

/** Reserved for cutting off work that has not finished, for recording how it ended, and for closing connections. */
const cutOffMs = 4_000;

/** How long a stopping service may wait for the work under way. */
export function timeToDrain(timeoutMs: number): number {
  return Math.max(0, timeoutMs - cutOffMs);
}
