import { RpcRefusal } from '@agent-trust/nats-rpc';
import { isOwnLimit, OutboundError } from '@agent-trust/safe-fetch';
import type { RecordedCall } from './call.ts';
import { failureReason, failureText, noRoomText } from './call-failure.ts';
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
