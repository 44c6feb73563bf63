import type { RecordedCall } from '../call.ts';
import { EndUnrecordedError } from './end-unrecorded.ts';
import type { ExchangeAnswer } from './exchange-record.ts';

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
