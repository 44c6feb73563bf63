import { setTimeout as delay } from 'node:timers/promises';
import { type SettlementRecorded, settlementRecorded, settlementStream } from '@agent-trust/contracts';
import {
  type EventLog,
  EventLogError,
  type EventMetadata,
  type JsonObject,
  WrongExpectedRevisionError,
} from '@agent-trust/event-log';
import type { Logger } from '@agent-trust/service-kit';
import type { Settlement } from '@agent-trust/x402';
import { settlementLimits } from './limits.ts';
import { settlementIdOf } from './settlement-id.ts';

export type SettlementRecordDeps = { log: EventLog; logger: Logger; newId: () => string; now: () => Date };

/** Who paid whom, and which way. */
export type Payer = Pick<
  SettlementRecorded['data'],
  'universe' | 'receiverAgentId' | 'callerAgentId' | 'callRef' | 'attribution' | 'via'
>;

/** The request that carried a payment. Of the payment itself nothing but a digest is used. */
export type PaidRequest = Payer & { paymentDigest: string };

const dataOf = (settlement: Settlement, paid: PaidRequest, now: Date): SettlementRecorded['data'] => {
  const { paymentDigest, ...parties } = paid;
  const { payTo, payer, ...reported } = settlement;
  return {
    ...parties,
    ...reported,
    settlementId: settlementIdOf(settlement, { receiverAgentId: paid.receiverAgentId, paymentDigest }),
    settlementRail: 'x402',
    payeeAddress: payTo,
    payerAddress: payer,
    settledAt: now.toISOString(),
  };
};

/**
 * Writes a settlement down, once ever: its stream must not exist, so a response that is repeated, or one transaction that is told by two
 * agents, changes nothing. Answers the event's log position; null when it was on record already, or could not be recorded.
 *
 * It never throws: the payer has paid, and gets what it paid for whatever becomes of the log. When the log stays away the settlement goes
 * to the service's own log whole, for an operator to record later.
 */
export async function recordSettlement(
  deps: SettlementRecordDeps,
  settlement: Settlement,
  paid: PaidRequest,
  metadata: EventMetadata,
): Promise<bigint | null> {
  const { log, logger, newId, now } = deps;
  const data = settlementRecorded.schema.parse(dataOf(settlement, paid, now()));
  const stream = settlementStream(data.settlementId);
  // The same event id at each attempt: an append whose outcome was unknown is not written twice.
  const event = {
    eventId: newId(),
    type: settlementRecorded.type,
    data: data as JsonObject,
    metadata: { ...metadata, schemaVersion: settlementRecorded.version },
  };
  const { recordTimeoutMs, recordPauseMs } = settlementLimits;
  const giveUpAt = now().getTime() + recordTimeoutMs;
  for (let pauseMs: number = recordPauseMs.first; ; pauseMs = Math.min(pauseMs * 2, recordPauseMs.longest)) {
    try {
      const deadlineMs = Math.max(1, giveUpAt - now().getTime());
      return (await log.append(stream, [event], { expectedRevision: 'no_stream', deadlineMs })).position;
    } catch (error) {
      if (error instanceof WrongExpectedRevisionError) {
        logger.info({ settlement_id: data.settlementId }, 'a settlement was told again; it is on record');
        return null;
      }
      const mayPass = error instanceof EventLogError && error.retryable;
      if (!mayPass || now().getTime() + pauseMs >= giveUpAt) {
        logger.error({ err: error, stream, event }, 'a settlement could not be recorded: record it by hand');
        return null;
      }
      await delay(pauseMs);
    }
  }
}
