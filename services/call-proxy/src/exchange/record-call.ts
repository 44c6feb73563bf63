import type { EventMetadata } from '@agent-trust/event-log';
import { createDigest } from '../answer/digest.ts';
import type { Call, RecordedCall } from '../call.ts';
import type { OutboundPlan } from '../request/plan.ts';
import { openExchange } from './exchange-record.ts';
import { exchangeEndsWithinMs } from './longest-life.ts';

/** Opens the exchange of a call, unless the plan is for no exchange. */
export const recordCall = async (
  call: Call,
  plan: OutboundPlan,
  messageBytes: Uint8Array,
  messageProtocol: 'a2a' | 'mcp' | 'raw',
): Promise<RecordedCall> => {
  if (!plan.isExchange) return { ...call, exchange: null };
  const { deps, input, context } = call;
  const digest = createDigest();
  digest.add(messageBytes);
  const metadata: EventMetadata = {
    correlationId: context.correlationId,
    causationId: context.correlationId,
    actor: { kind: 'agent', id: input.caller.agentId },
    ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
  };
  const parties = {
    transactionId: deps.newId(),
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
  return { ...call, exchange: await openExchange(deps, parties, opening, metadata) };
};
