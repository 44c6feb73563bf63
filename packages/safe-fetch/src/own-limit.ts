import type { OutboundError } from './outbound-error.ts';

const reasons: ReadonlySet<string> = new Set([
  'lookup_queue_timeout',
  'too_many_lookups',
  'too_many_requests',
  'too_many_origins',
]);

/** Whether a request failed for what this client had to do for others: it was not sent, and that says nothing of its target. */
export const isOwnLimit = ({ reason }: OutboundError): boolean => reasons.has(reason);
