import { type SettlementRecorded, settlementRecorded, settlementStream } from '@agent-trust/contracts';
import { type EventLog, EventLogError, type EventMetadata, type JsonObject } from '@agent-trust/event-log';
import { retry } from '@agent-trust/limits';
import type { Logger } from '@agent-trust/service-kit';
import { type Settlement, settlementOf } from '@agent-trust/x402';
import { proxyLimits } from '../limits.ts';
import type { CarriedPayment } from './carried-payment.ts';
import { settlementIdOf } from './settlement-id.ts';
import { appendSettlement, type SettlementOutbox } from './settlement-outbox.ts';

export type SettlementRecordDeps = {
  log: EventLog;
  outbox: Pick<SettlementOutbox, 'keep'>;
  logger: Logger;
  newId: () => string;
  now: () => Date;
};

export type Payer = Pick<
  SettlementRecorded['data'],
  'universe' | 'receiverAgentId' | 'callerAgentId' | 'callRef' | 'attribution' | 'via'
>;

/** The request that carried a payment. Only a digest of the payment itself is used. */
export type PaidRequest = Payer & { paymentDigest: string };

/**
 * Appends a settlement once: its stream must not exist, so a repeated answer, or a transaction that two agents report, changes nothing. Returns the
 * event's log position; null if the settlement was on record already, or waits for the log.
 *
 * Never throws: the payer has paid, and gets the answer whatever happens to the log. If the log stays unavailable, the settlement goes to the outbox,
 * which brings it to the log later.
 */
export async function recordSettlement(
  { log, outbox, logger, newId, now }: SettlementRecordDeps,
  settlement: Settlement,
  paid: PaidRequest,
  metadata: EventMetadata,
): Promise<bigint | null> {
  const { paymentDigest: _, ...parties } = paid;
  const { payTo: payeeAddress, payer: payerAddress, ...reported } = settlement;
  const settlementId = settlementIdOf(settlement, paid);
  const data = settlementRecorded.schema.parse({
    ...parties,
    ...reported,
    settlementId,
    settlementRail: 'x402',
    payeeAddress,
    payerAddress,
    settledAt: now().toISOString(),
  });
  const stream = settlementStream(settlementId);
  // Each attempt has the same event id: an append whose result is unknown is not written twice.
  const event = {
    eventId: newId(),
    type: settlementRecorded.type,
    data: data as JsonObject,
    metadata: { ...metadata, schemaVersion: settlementRecorded.version },
  };
  try {
    const position = await retry((leftMs) => appendSettlement(log, { stream, event }, leftMs), {
      backoff: proxyLimits.appendBackoff,
      timeoutMs: proxyLimits.recordTimeoutMs,
      mayRetry: (error) => error instanceof EventLogError && error.retryable,
      now: () => now().getTime(),
    });
    if (position === null)
      logger.info({ settlement_id: settlementId }, 'a settlement was reported again; it is on record');
    return position;
  } catch (error) {
    logger.warn({ err: error, settlement_id: settlementId }, 'the event log does not take a settlement');
    await outbox.keep({ stream, event });
    return null;
  }
}

/** Records the settlement that an agent's answer reports, if any. Returns its log position, or null. Never throws. */
export async function settleAnswer(
  deps: SettlementRecordDeps,
  { payment, paymentDigest, requirements }: CarriedPayment,
  answer: { statusCode: number; headers: Readonly<Record<string, string>> },
  payer: Payer,
  context: { correlationId: string; traceparent: string | undefined; credentials: string[] | undefined },
): Promise<bigint | null> {
  const { statusCode, headers: responseHeaders } = answer;
  const settlement = settlementOf({ payment, statusCode, responseHeaders, requirements });
  if (settlement === null || paymentDigest === null) return null;
  const { correlationId, traceparent, credentials } = context;
  const { callerAgentId: id } = payer;
  return recordSettlement(
    deps,
    settlement,
    { ...payer, paymentDigest },
    {
      correlationId,
      causationId: correlationId,
      actor: id === null ? { kind: 'anonymous', id, credentials: [] } : { kind: 'agent', id, credentials },
      ...(traceparent === undefined ? {} : { traceparent }),
    },
  );
}
