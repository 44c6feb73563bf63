import { recordSettlement } from '@agent-trust/settlements';
import { type Requirement, sentPaymentOf, settlementOf } from '@agent-trust/x402';
import type { Payment } from '../payment.ts';

/** Records the settlement that an answer tells of, if it does. Answers its log position; null where nothing was recorded. */
export const settle = async (
  payment: Payment,
  answer: { statusCode: number; headers: Record<string, string> },
  sent: { headers: Record<string, string>; requirements: readonly Requirement[] },
): Promise<bigint | null> => {
  const { deps, input, payer, context } = payment;
  const settlement = settlementOf({
    payment: sentPaymentOf(sent.headers),
    statusCode: answer.statusCode,
    responseHeaders: answer.headers,
    requirements: sent.requirements,
  });
  if (settlement === null) return null;
  const { universe, callerAgentId, callRef, attribution } = payer;
  return recordSettlement(
    deps,
    settlement,
    {
      universe,
      receiverAgentId: input.agentId,
      callerAgentId,
      callRef,
      attribution,
      via: 'pay',
      headers: sent.headers,
    },
    {
      correlationId: context.correlationId,
      causationId: context.correlationId,
      actor: callerAgentId === null ? { kind: 'anonymous', id: null } : { kind: 'agent', id: callerAgentId },
      ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
    },
  );
};
