import { eventLogLimits } from '../limits.ts';

export type Timeouts = {
  /** For one whole read; the client's own reads have no deadline. */
  readDeadlineMs: number;
  /** Until the server has confirmed a subscription. */
  confirmationDeadlineMs: number;
  /** Silence of a subscription after which the head of the log is checked. */
  idleCheckMs: number;
};

export const defaultTimeouts: Timeouts = {
  readDeadlineMs: eventLogLimits.readDeadlineMs,
  confirmationDeadlineMs: eventLogLimits.connectDeadlineMs,
  idleCheckMs: eventLogLimits.subscriptionIdleCheckMs,
};
