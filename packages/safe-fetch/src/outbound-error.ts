/** The kind of failure, for the caller to act on; see `messages`. */
export type OutboundErrorKind =
  | 'invalid_url'
  | 'not_allowed'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'protocol'
  | 'aborted';

const messages: Record<OutboundErrorKind, string> = {
  invalid_url: 'the target address is not a valid http or https URL',
  not_allowed: 'the target address is not one that may be contacted',
  unreachable: 'the target could not be reached',
  timeout: 'the target did not answer in time',
  too_large: 'the answer or request is larger than allowed',
  protocol: 'the target did not answer in correct HTTP',
  aborted: 'the request was given up',
};

/**
 * An outbound request that failed. `message` and `reason` never name the target: callers from whom its address is hidden may see them. `cause` may
 * name it and is for logs.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: OutboundErrorKind;
  /** A snake_case word for the rule or limit, such as `private_address` or `headers_timeout`. */
  readonly reason: string;

  constructor(kind: OutboundErrorKind, reason: string, cause?: unknown) {
    super(`${messages[kind]} (${reason})`, cause === undefined ? {} : { cause });
    this.kind = kind;
    this.reason = reason;
  }
}

const ownLimits: ReadonlySet<string> = new Set([
  'lookup_queue_timeout',
  'too_many_lookups',
  'too_many_requests',
  'too_many_origins',
]);

/** Whether a limit of this client stopped the request: it was not sent, and its target is not to blame. */
export function isOwnLimit({ reason }: OutboundError): boolean {
  return ownLimits.has(reason);
}
