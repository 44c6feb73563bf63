import type { ExchangeFailureReason } from '@agent-trust/contracts';
import { RpcRefusal } from '@agent-trust/nats-rpc';
import { isOwnLimit, OutboundError } from '@agent-trust/safe-fetch';
import type { RecordedCall } from './call.ts';
import { findFallback } from './fallback.ts';

/**
 * Writes down that the agent did not answer and makes the refusal that the gateway turns into a 502; into a 503, which asks for no
 * review, where it was this proxy that had no room. An error of another kind is a defect of the proxy: the exchange gets its end all the
 * same, and the error is thrown on.
 */
export async function failCall(call: RecordedCall, error: unknown): Promise<RpcRefusal> {
  const { deps, context, exchange } = call;
  if (!(error instanceof OutboundError)) {
    await exchange?.fail('protocol_error');
    throw error;
  }
  const reason = failureReason(error);
  const position = exchange === null ? null : await exchange.fail(reason);
  const known = {
    transactionId: exchange?.transactionId ?? null,
    position: position === null ? null : String(position),
  };
  if (isOwnLimit(error)) {
    deps.logger.warn({ err: error, correlation_id: context.correlationId }, 'there was no room to send a call');
    return new RpcRefusal('unavailable', noRoomText, { data: known });
  }
  deps.logger.info({ err: error, reason, correlation_id: context.correlationId }, 'the agent did not answer');
  const fallbackAgentId = reason === 'cancelled' ? null : await findFallback(call);
  return new RpcRefusal('downstream_failed', failureText[reason], { data: { ...known, fallbackAgentId } });
}

/** How an outbound request failed, in the words of the exchange's record: what this proxy had no room for was not the agent's doing. */
const failureReason = (error: OutboundError): ExchangeFailureReason => {
  if (isOwnLimit(error)) return 'cancelled';
  switch (error.kind) {
    case 'not_allowed':
    case 'invalid_url':
      return 'not_allowed';
    case 'unreachable':
      return 'unreachable';
    case 'timeout':
      return 'timeout';
    case 'too_large':
      return 'too_large';
    case 'protocol':
      return 'protocol_error';
    case 'aborted':
      return 'cancelled';
    default:
      return error.kind satisfies never;
  }
};

/** What the caller is told. Never the agent's address, nor anything that the network said of it. */
export const failureText: Record<ExchangeFailureReason, string> = {
  not_allowed: "The agent's endpoint may not be reached from here.",
  unreachable: 'The agent could not be reached.',
  timeout: 'The agent did not answer in time.',
  too_large: 'The agent answered more than the registry passes on: 10 MiB of body or 32 KiB of headers.',
  protocol_error: 'The agent broke off or did not speak HTTP.',
  cancelled: 'The call was given up before the agent had answered.',
};

/** What the caller is told where the registry had no room for the call. */
const noRoomText =
  'The registry had too much to do for others to send the call, and gave it up. That says nothing of the agent; try again.';
