import { DomainError, type ExchangeFailureReason, refusalOf } from '@agent-trust/contracts';
import { EventLogError } from '@agent-trust/event-log';
import { LogRolledBackError } from '@agent-trust/log-state';
import { type RefusalFields, RpcTimeoutError, RpcUnavailableError } from '@agent-trust/nats-rpc';
import { isOwnLimit, type OutboundError, type OutboundErrorKind } from '@agent-trust/safe-fetch';

const reasons: Record<OutboundErrorKind, ExchangeFailureReason> = {
  not_allowed: 'not_allowed',
  invalid_url: 'not_allowed',
  unreachable: 'unreachable',
  timeout: 'timeout',
  too_large: 'too_large',
  protocol: 'protocol_error',
  aborted: 'cancelled',
};

/** Why an outbound request failed, as an exchange's record says it. A limit of this proxy is not the agent's fault. */
export function failureReason(error: OutboundError): ExchangeFailureReason {
  return isOwnLimit(error) ? 'cancelled' : reasons[error.kind];
}

/** Shown to the caller. Never contains the agent's address, or what the network says about it. */
export const failureText: Record<ExchangeFailureReason, string> = {
  not_allowed:
    "The registry is not allowed to contact the agent's address: it is private, or its port is reserved (see OUTBOUND_ALLOW).",
  unreachable: 'The agent could not be reached.',
  timeout: 'The agent did not answer in time.',
  too_large: 'The agent answered more than the registry passes on.',
  protocol_error: 'The agent broke off or did not speak HTTP.',
  cancelled: 'The request was cancelled before the agent answered.',
};

export const noRoomText =
  'The registry has no room to send the request now. The agent did not get it, which says nothing of the agent; try again.';

/** Distinguishes refusals (the caller's mistake, or unavailable now) from defects. All requests to other services come before the agent is contacted. */
export function toRefusal(error: unknown): RefusalFields | null {
  if (error instanceof DomainError) return refusalOf(error);
  if (error instanceof LogRolledBackError) return error.refusal();
  const isUnavailable =
    error instanceof RpcUnavailableError ||
    error instanceof RpcTimeoutError ||
    (error instanceof EventLogError && error.retryable);
  if (!isUnavailable) return null;
  return {
    code: 'unavailable',
    detail: 'A part of the registry cannot be reached; nothing was sent, try again later.',
  };
}
