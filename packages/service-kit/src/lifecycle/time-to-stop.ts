import type { StopRequest } from './stop-requests.ts';

/** What somebody at a terminal waits for, and what a process whose supervisor is gone may still take. */
const hurriedStopMsMax = 10_000;

/**
 * How long stopping may take. SIGTERM is how orchestrators replace a process: it gets all of `stopTimeoutMs`, so that what runs can finish.
 * Ctrl-C, and the end of the supervisor, are in a hurry.
 */
export function timeToStop(request: StopRequest, stopTimeoutMs: number): number {
  return request === 'SIGTERM' ? stopTimeoutMs : Math.min(stopTimeoutMs, hurriedStopMsMax);
}

/** Left for cutting off what has not ended in its time, for it to write down how it ended, and for closing what it used. */
const cutOffMs = 4_000;

/** How much of the time to stop a service may wait for what runs. */
export function timeToDrain(timeoutMs: number): number {
  return Math.max(0, timeoutMs - cutOffMs);
}
