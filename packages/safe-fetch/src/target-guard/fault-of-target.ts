import { OutboundError } from '../outbound-error.ts';

/** `no_connection`: the server of the origin cannot be connected to. `silence`: the agent took a request and gave no answer in time. */
export type TargetFault = 'no_connection' | 'silence';

const connectionReasons: ReadonlySet<string> = new Set([
  'connection_refused',
  'name_not_found',
  // Only if the lookup of the name itself ran for all that time, in its own place.
  'lookup_timeout',
  'connect_timeout',
  'no_address',
  'tls',
]);
const silenceReasons: ReadonlySet<string> = new Set([
  'connection_failed',
  'headers_timeout',
  'body_idle_timeout',
  'total_timeout',
]);

/**
 * What a failed request says about its target; null for nothing. Not counted are the caller's actions (`aborted`), our own limits and rules
 * (`not_allowed`, `too_many_requests`, `lookup_queue_timeout`, `too_large`), and invalid answers that came soon: a target that answers is alive, and
 * costs little.
 */
export function faultOfTarget(error: unknown): TargetFault | null {
  if (!(error instanceof OutboundError)) return null;
  if (connectionReasons.has(error.reason)) return 'no_connection';
  return silenceReasons.has(error.reason) ? 'silence' : null;
}
