import { replicaLimits } from './limits.ts';

/** Both clocks of a process at one moment: one never runs backwards, the other also runs while the machine sleeps. */
export type Reading = { readonly monotonicMs: number; readonly wallMs: number };

/**
 * Whether less than `ms` have passed between two readings. If the clocks disagree about how much time has passed, the machine slept or its
 * wall clock was set; the time is then taken to be over (rule 3).
 */
export function isWithin(ms: number, from: Reading, now: Reading): boolean {
  const passedMs = now.monotonicMs - from.monotonicMs;
  const jumpMs = now.wallMs - from.wallMs - passedMs;
  return passedMs < ms && Math.abs(jumpMs) <= replicaLimits.wallJumpMsMax;
}

/** Whether at least `ms` have passed by the monotonic clock: a machine that slept waits longer, which is always safe. */
export function hasPassed(ms: number, from: Reading, now: Reading): boolean {
  return now.monotonicMs - from.monotonicMs >= ms;
}

/** What the clocks of this process say now. */
export function readClocks(): Reading {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}
