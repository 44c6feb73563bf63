import { createHash } from 'node:crypto';
import { RpcRefusal } from '@agent-trust/nats-rpc';
import { failureReason, failureText, noRoomText } from '@agent-trust/proxy-kit';
import { isOwnLimit, OutboundError } from '@agent-trust/safe-fetch';
import type { RecordedCall } from '../call.ts';
import type { Contacted } from '../contact-agent.ts';
import { findFallback } from '../fallback.ts';
import { noRoomForAnswer } from '../held-bytes.ts';
import { EndUnrecordedError, type ExchangeAnswer } from './exchange-record.ts';

/** The log position of an answered call's end (null if it has none), and whether the end is recorded as far as it has to be. */
export type AnsweredEnd = { position: bigint | null; isRecorded: boolean };

/**
 * Records that the agent answered. If that fails, the caller gets the answer all the same, because it may have paid for it. The exchange will be
 * ended as abandoned, and the log line has what the end would have said.
 */
export async function endAnswered(
  { deps, exchange, context }: RecordedCall,
  answer: ExchangeAnswer,
): Promise<AnsweredEnd> {
  if (exchange === null) return { position: null, isRecorded: true };
  try {
    return { position: await exchange.complete(answer), isRecorded: true };
  } catch (error) {
    if (!(error instanceof EndUnrecordedError)) throw error;
    deps.logger.error(
      { err: error, transaction_id: exchange.transactionId, ...answer, correlation_id: context.correlationId },
      'an exchange was answered, and its end could not be recorded',
    );
    return { position: null, isRecorded: false };
  }
}

const noRoomForAnswerText =
  'The agent has begun to answer, but the registry has no room to hold so long an answer now: the call was given up, and is no fault of the agent.';

/** As in both proxies, but with the limits of calls: payments have others. */
export const callFailureText: typeof failureText = {
  ...failureText,
  too_large:
    'The agent answered more than the registry passes on: 10 MiB of body (1 GiB if it is streamed) or 32 KiB of headers.',
};

/** Passes events on, and records the exchange's end when they end (`onEnd` gets it), break off, or the caller disconnects. */
export async function* relayEvents(
  call: RecordedCall,
  { statusCode, events }: Contacted & { kind: 'events' },
  onEnd: (end: AnsweredEnd) => void,
): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  let responseBytes = 0;
  let isOpen = true;
  try {
    for await (const chunk of events) {
      digest.update(chunk);
      responseBytes += chunk.byteLength;
      yield chunk;
    }
    isOpen = false;
    onEnd(await endAnswered(call, { statusCode, responseDigest: digest.digest('hex'), responseBytes }));
  } catch (error) {
    if (!isOpen) throw error;
    isOpen = false;
    throw await failCall(call, error);
  } finally {
    // The reader has left the loop without an error: the caller has disconnected.
    if (isOpen) await call.exchange?.fail('cancelled');
  }
}

/**
 * Records that the agent did not answer, and returns the refusal that the gateway answers with 502; or with 503, which asks for no review, if this
 * proxy had no room. Any other error is a defect of the proxy: the exchange is ended, too, and the error is thrown.
 */
export async function failCall(call: RecordedCall, error: unknown): Promise<RpcRefusal> {
  const { deps, context, exchange } = call;
  if (!(error instanceof OutboundError)) {
    await exchange?.fail('protocol_error');
    throw error;
  }
  const reason = failureReason(error);
  const position = await exchange?.fail(reason);
  const known = { transactionId: exchange?.transactionId ?? null, position: position?.toString() ?? null };
  const fields = { err: error, reason, correlation_id: context.correlationId };
  if (isOwnLimit(error)) {
    deps.logger.warn(fields, 'there was no room to send a call');
    return new RpcRefusal('unavailable', noRoomText, { data: known });
  }
  if (error.reason === noRoomForAnswer) {
    deps.logger.warn(fields, 'there was no room to hold an answer');
    return new RpcRefusal('unavailable', noRoomForAnswerText, { data: known });
  }
  deps.logger.info(fields, 'the agent did not answer');
  const fallbackAgentId = reason === 'cancelled' ? null : await findFallback(call);
  return new RpcRefusal('downstream_failed', callFailureText[reason], { data: { ...known, fallbackAgentId } });
}
