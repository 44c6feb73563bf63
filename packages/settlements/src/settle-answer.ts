import { settlementOf } from '@agent-trust/x402';
import type { CarriedPayment } from './carried-payment.ts';
import { type Payer, recordSettlement, type SettlementRecordDeps } from './record-settlement.ts';

/**
 * Records the settlement that an agent's answer tells of, if it does, whichever way the payment took. Answers its log position; null where
 * nothing was recorded. Like `recordSettlement` it never throws.
 */
export async function settleAnswer(
  deps: SettlementRecordDeps,
  carried: CarriedPayment,
  answer: { statusCode: number /** Names in lower case. */; headers: Readonly<Record<string, string>> },
  payer: Payer,
  context: {
    correlationId: string;
    traceparent: string | undefined /** Of the payer. */;
    credentials: string[] | undefined;
  },
): Promise<bigint | null> {
  const settlement = settlementOf({
    payment: carried.payment,
    statusCode: answer.statusCode,
    responseHeaders: answer.headers,
    requirements: carried.requirements,
  });
  if (settlement === null || carried.paymentDigest === null) return null;
  const { callerAgentId } = payer;
  return recordSettlement(
    deps,
    settlement,
    { ...payer, paymentDigest: carried.paymentDigest },
    {
      correlationId: context.correlationId,
      causationId: context.correlationId,
      actor:
        callerAgentId === null
          ? { kind: 'anonymous', id: null, credentials: [] }
          : { kind: 'agent', id: callerAgentId, credentials: context.credentials },
      ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
    },
  );
}
