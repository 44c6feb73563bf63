import type { Reading } from '../clock.ts';

/** Both clocks after so many milliseconds; `jumpMs` is how far the wall clock is ahead. */
export function at(ms: number, jumpMs = 0): Reading {
  return { monotonicMs: ms, wallMs: 1_700_000_000_000 + ms + jumpMs };
}
