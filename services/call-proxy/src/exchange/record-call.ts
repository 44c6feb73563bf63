import { type DomainError, faultAt } from '@agent-trust/contracts';
import { type EventMetadata, WrongExpectedRevisionError } from '@agent-trust/event-log';
import { createDigest } from '../answer/digest.ts';
import type { Call, RecordedCall } from '../call.ts';
import type { OutboundPlan } from '../request/plan.ts';
import { openExchange } from './exchange-record.ts';
import { exchangeEndsWithinMs } from './longest-life.ts';
import { refuseIfMade } from './refuse-if-made.ts';
import { transactionIdOf } from './transaction-id.ts';

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
