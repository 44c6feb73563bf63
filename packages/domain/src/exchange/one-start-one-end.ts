import type { ExchangeState } from './state.ts';

/** Transaction ids are drawn at random, so a second start is a fault of the program, not of a client. */
export function ensureNotStarted(state: ExchangeState, transactionId: string): void {
  if (state.kind !== 'absent') throw new Error(`exchange ${transactionId} was started already`);
}

/**
 * The exchange that an end belongs to, or null when it has one already: the first end stands. A proxy that finishes after its
 * exchange was declared abandoned, and an abandonment that comes after the proxy's own end, change nothing.
 */
export function exchangeToEnd(state: ExchangeState): Extract<ExchangeState, { kind: 'started' }> | null {
  if (state.kind === 'absent') throw new Error('an exchange that was never started cannot end');
  return state.kind === 'started' ? state : null;
}
