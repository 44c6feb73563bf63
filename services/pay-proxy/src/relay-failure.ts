import { DomainError } from '@agent-trust/contracts';
import { RpcRefusal } from '@agent-trust/nats-rpc';
import { isOwnLimit, OutboundError, type OutboundErrorKind } from '@agent-trust/safe-fetch';
import type { Logger } from '@agent-trust/service-kit';

/** What the payer is told. Never the agent's address, nor anything that the network said of it. */
const failureText: Record<OutboundErrorKind, string> = {
  not_allowed: "The agent's endpoint may not be reached from here.",
  invalid_url: "The agent's endpoint may not be reached from here.",
  unreachable: 'The agent could not be reached.',
  timeout: 'The agent did not answer in time.',
  too_large: 'The agent answered more than the registry passes on.',
  protocol: 'The agent broke off or did not speak HTTP.',
  aborted: 'The request was cancelled.',
};

/** What the payer is told where the registry had no room for the request. */
const noRoomText =
  'The registry had too much to do for others to send the request. The agent did not get it; try again.';

/** The refusal of a payment whose agent did not answer; errors of another kind, and what was wrong with the payer's own body, as they are. */
export function relayFailure(error: unknown, logger: Logger, correlationId: string): unknown {
  if (!(error instanceof OutboundError)) return error;
  if (error.cause instanceof DomainError) return error.cause;
  if (isOwnLimit(error)) {
    logger.warn({ err: error, correlation_id: correlationId }, 'there was no room to send a payment');
    return new RpcRefusal('unavailable', noRoomText);
  }
  logger.info({ err: error, correlation_id: correlationId }, 'the paid agent did not answer');
  return new RpcRefusal('downstream_failed', failureText[error.kind]);
}
