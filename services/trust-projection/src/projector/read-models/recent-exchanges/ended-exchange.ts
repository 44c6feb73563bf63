import type { ExchangeCompleted, ExchangeFailed } from '@agent-trust/contracts';

/** How an agent dealt with a call. */
export type EndedExchange = {
  /** Milliseconds since the Unix epoch. */
  beganMs: number;
  outcome: 'answered' | 'failed' | 'timed_out';
  /** How long the answer took, whole milliseconds; 0 without an answer. */
  answerMs: number;
  /** The organisation of the caller when the exchange ended. */
  callerOrgId: string | null;
};

type EndEvent = ExchangeCompleted | ExchangeFailed;

/**
 * Whether an event ends an exchange that says something of its receiver: in production, and not given up for a reason of the caller's or of the
 * registry's own (`cancelled`). Of an abandoned one nobody knows whether the agent answered.
 */
export function isOfLiveness<Event extends { type: string }>(event: Event): event is Extract<Event, EndEvent> {
  const end = event as unknown as EndEvent;
  if (end.type !== 'ExchangeCompleted' && end.type !== 'ExchangeFailed') return false;
  if (end.data.universe.kind !== 'production') return false;
  return end.type === 'ExchangeCompleted' || end.data.reason !== 'cancelled';
}

/**
 * What the end of an exchange says of its receiver.
 *
 * @param known.startedAt by the clock of its proxy. If that clock is ahead, the end was recorded before it, and this time counts: one exchange
 *   in a far future would push out all others.
 */
export function endedExchange(
  end: EndEvent,
  known: { startedAt: Date; recordedAt: Date; callerOrgId: string | null },
): EndedExchange {
  const beganMs = Math.min(known.startedAt.getTime(), known.recordedAt.getTime());
  const { callerOrgId } = known;
  if (end.type === 'ExchangeCompleted') {
    return { beganMs, outcome: 'answered', answerMs: Math.round(end.data.durationMs), callerOrgId };
  }
  return { beganMs, outcome: end.data.reason === 'timeout' ? 'timed_out' : 'failed', answerMs: 0, callerOrgId };
}
