import type { OutboundError } from './outbound-error.ts';

const reasons: ReadonlySet<string> = new Set([
  'lookup_queue_timeout',
  'too_many_lookups',
  'too_many_requests',
  'too_many_origins',
]);

/** Whether a request failed for what this client had to do for others: it was not sent, and that says nothing of its target. */
export function isOwnLimit({ reason }: OutboundError): boolean {
  return reasons.has(reason);
}
