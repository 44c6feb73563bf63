import { type CarriedPayment, settleAnswer } from '@agent-trust/settlements';
import type { Payment } from '../payment.ts';

/** Records the settlement that an answer tells of, if it does. Answers its log position; null where nothing was recorded. */
export function settle(
  { deps, input, payer, context }: Payment,
  answer: { statusCode: number; headers: Record<string, string> },
  sent: CarriedPayment,
): Promise<bigint | null> {
  const { universe, callerAgentId, callRef, attribution } = payer;
  const paid = { universe, receiverAgentId: input.agentId, callerAgentId, callRef, attribution };
  const credentials = [
    ...(input.payer === null ? [] : ['agent_key']),
    ...(attribution === 'call_ref' ? ['call_ref'] : []),
  ];
  return settleAnswer(deps, sent, answer, { ...paid, via: 'pay' }, { ...context, credentials });
}
