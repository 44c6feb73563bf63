const messages = {
  invalid_url: 'the target address is not a valid http or https URL',
  not_allowed: 'the target address is not one that may be contacted',
  unreachable: 'the target could not be reached',
  timeout: 'the target did not answer in time',
  too_large: 'the answer or request is larger than allowed',
  protocol: 'the target did not answer in correct HTTP',
  aborted: 'the request was cancelled',
};

export type OutboundErrorKind = keyof typeof messages;

/** An outbound request that failed. `message` and `reason` never name the target, so callers may see them; `cause` is for logs. */
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
 * What a failed request says about its target; null for nothing: the caller's actions, our own limits and rules, and invalid answers, because a target
 * that answers is alive.
 */
export function faultOfTarget(error: unknown): TargetFault | null {
  if (!(error instanceof OutboundError)) return null;
  if (connectionReasons.has(error.reason)) return 'no_connection';
  return silenceReasons.has(error.reason) ? 'silence' : null;
}

const byCode: Readonly<Record<string, [OutboundErrorKind, string]>> = {
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'connect_timeout'],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', 'headers_timeout'],
  UND_ERR_BODY_TIMEOUT: ['timeout', 'body_idle_timeout'],
  ETIMEDOUT: ['timeout', 'connect_timeout'],
  UND_ERR_HEADERS_OVERFLOW: ['too_large', 'response_headers'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['protocol', 'content_length'],
  UND_ERR_ABORTED: ['aborted', 'aborted'],
  UND_ERR_DESTROYED: ['aborted', 'client_closed'],
  UND_ERR_CLOSED: ['aborted', 'client_closed'],
  ENOTFOUND: ['unreachable', 'name_not_found'],
  EAI_AGAIN: ['unreachable', 'name_not_found'],
  ECONNREFUSED: ['unreachable', 'connection_refused'],
};

/** The failure as a caller may see it; the messages of undici and Node stay in its cause. */
export function toOutboundError(error: unknown, phase: 'request' | 'body'): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  const known = byCode[code];
  if (known) return new OutboundError(...known, error);
  if ((error instanceof Error && error.name === 'HTTPParserError') || code.startsWith('UND_ERR_INVALID'))
    return new OutboundError('protocol', 'malformed', error);
  if (isTlsCode(code)) return new OutboundError('unreachable', 'tls', error);
  if (error instanceof Error && /^bad (upgrade|response)$/.test(error.message)) {
    return new OutboundError('protocol', 'malformed', error);
  }
  return phase === 'body'
    ? new OutboundError('protocol', 'connection_lost', error)
    : new OutboundError('unreachable', 'connection_failed', error);
}

const isTlsCode = (code: string): boolean => /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code);

const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
};
