import { callWaitsMs, type DomainError, faultAt } from '@agent-trust/contracts';
import { type EventMetadata, WrongExpectedRevisionError } from '@agent-trust/event-log';
import { createDigest } from '../answer/digest.ts';
import type { Call, RecordedCall } from '../call.ts';
import type { OutboundPlan } from '../request/outbound-plan.ts';
import { callProxyLimits } from '../limits.ts';
import { EndUnrecordedError, type ExchangeAnswer, openExchange } from './exchange-record.ts';
import { refuseIfMade, transactionIdOf } from './refuse-if-made.ts';

/**
 * Opens the exchange of a call, unless the plan is for no exchange.
 *
 * @throws what `refuseIfMade` throws when another proxy, given the same command, was faster.
 */
export async function recordCall(
  call: Call,
  plan: OutboundPlan,
  messageBytes: Uint8Array,
  messageProtocol: 'a2a' | 'mcp' | 'raw',
): Promise<RecordedCall> {
  const { deps, input, context } = call;
  if (!plan.isExchange) {
    if (input.commandId !== null) throw needsExchange();
    return { ...call, exchange: null };
  }
  const digest = createDigest();
  digest.add(messageBytes);
  const metadata: EventMetadata = {
    correlationId: context.correlationId,
    causationId: context.correlationId,
    actor: { kind: 'agent', id: input.caller.agentId, credentials: input.caller.credentials },
    ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
  };
  const parties = {
    transactionId: transactionIdOf(input.commandId, deps.newId),
    callerAgentId: input.caller.agentId,
    receiverAgentId: input.agentId,
    universe: input.caller.universe,
  };
  const opening = {
    messageProtocol,
    httpMethod: plan.httpMethod,
    streaming: plan.streaming,
    requestDigest: digest.hex(),
    requestBytes: digest.bytes(),
    endsWithinMs: exchangeEndsWithinMs(plan.streaming, deps.callTimeoutMs),
  };
  try {
    return { ...call, exchange: await openExchange(deps, parties, opening, metadata) };
  } catch (error) {
    if (error instanceof WrongExpectedRevisionError) await refuseIfMade(call);
    throw error;
  }
}

/** That a key works once is kept by the exchange's stream, so what is no exchange cannot have one. */
const needsExchange = (): DomainError =>
  faultAt(
    'validation_failed',
    ['header', 'idempotency-key'],
    'cannot be kept for an MCP initialize, which opens a session and is no exchange: send it without a key',
  );

/** Where the end of an answered call stands in the log (null: nowhere), and whether that is as it should be. */
export type AnsweredEnd = { position: bigint | null; isRecorded: boolean };

/**
 * Writes that the agent answered. When the log does not take that, the answer is the caller's all the same, who may have paid for it; its
 * exchange will be ended as abandoned, and the log line has what it should have said.
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
      { err: error, transaction_id: error.transactionId, ...answer, correlation_id: context.correlationId },
      'an exchange was answered, and its end could not be put on record',
    );
    return { position: null, isRecorded: false };
  }
}

/**
 * The longest that a proxy keeps an exchange open, in milliseconds from the moment at which the log recorded its start: the append's own
 * way back, the agent's time, for a stream a caller that stalls at its end, and the attempts to write down a settlement and the end. A proxy that is alive
 * has written an end before; so an exchange that is open for longer may be declared abandoned.
 *
 * @param callTimeoutMs CALL_TIMEOUT_MS of the proxy that starts the exchange.
 */
export function exchangeEndsWithinMs(streaming: boolean, callTimeoutMs: number): number {
  return (
    callWaitsMs.startRecord +
    (streaming ? callProxyLimits.streamTotalMs + callProxyLimits.callerStallMs : callTimeoutMs) +
    callWaitsMs.settlementRecord +
    callWaitsMs.endRecord +
    callProxyLimits.exchangeEndMarginMs
  );
}
