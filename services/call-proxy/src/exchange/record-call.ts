import { hash } from 'node:crypto';
import { callWaitsMs, faultAt } from '@agent-trust/contracts';
import { type EventMetadata, WrongExpectedRevisionError } from '@agent-trust/event-log';
import { proxyLimits } from '@agent-trust/proxy-kit';
import type { Call, RecordedCall } from '../call.ts';
import { callProxyLimits } from '../limits.ts';
import type { OutboundPlan } from '../request/outbound-plan.ts';
import { openExchange } from './exchange-record.ts';
import { refuseIfMade, transactionIdOf } from './refuse-if-made.ts';

/** Opens the exchange of a call, if its plan is one. Throws like `refuseIfMade` if another proxy with the same command was faster. */
export async function recordCall(
  call: Call,
  plan: OutboundPlan,
  message: Uint8Array,
  messageProtocol: 'a2a' | 'mcp' | 'raw',
): Promise<RecordedCall> {
  const { deps, input, context } = call;
  const { caller } = input;
  if (!plan.isExchange) {
    if (input.commandId === null) return { ...call, exchange: null };
    // A key works once because of the exchange's stream.
    throw faultAt(
      'validation_failed',
      ['header', 'idempotency-key'],
      'cannot be kept for an MCP initialize, which opens a session and is no exchange: send it without a key',
    );
  }
  const metadata: EventMetadata = {
    correlationId: context.correlationId,
    causationId: context.correlationId,
    actor: { kind: 'agent', id: caller.agentId, credentials: caller.credentials },
    ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
  };
  const parties = {
    transactionId: transactionIdOf(input.commandId, deps.newId),
    callerAgentId: caller.agentId,
    receiverAgentId: input.agentId,
    universe: caller.universe,
  };
  const opening = {
    messageProtocol,
    httpMethod: plan.httpMethod,
    streaming: plan.streaming,
    requestDigest: hash('sha256', message),
    requestBytes: message.byteLength,
    endsWithinMs: exchangeEndsWithinMs(plan.streaming, deps.callTimeoutMs),
  };
  try {
    return { ...call, exchange: await openExchange(deps, parties, opening, metadata) };
  } catch (error) {
    if (error instanceof WrongExpectedRevisionError) await refuseIfMade(call);
    throw error;
  }
}

/**
 * The longest time that a proxy keeps an exchange open, in milliseconds from the moment when the log recorded its start: the append's way back, the
 * agent's time, for a stream the caller that stalls at its end, and the attempts to record a settlement and the end. A live proxy has recorded an
 * end before, so an exchange that is open for longer may be declared abandoned.
 *
 * @param callTimeoutMs CALL_TIMEOUT_MS of the proxy that starts the exchange.
 */
export function exchangeEndsWithinMs(streaming: boolean, callTimeoutMs: number): number {
  return (
    callWaitsMs.startRecord +
    (streaming ? proxyLimits.streamTotalMs + proxyLimits.callerStallMs : callTimeoutMs) +
    callWaitsMs.settlementRecord +
    callWaitsMs.endRecord +
    callProxyLimits.exchangeEndMarginMs
  );
}
