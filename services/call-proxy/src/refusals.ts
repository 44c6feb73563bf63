import { DomainError, refusalOf } from '@agent-trust/contracts';
import { EventLogError } from '@agent-trust/event-log';
import { type RefusalFields, RpcTimeoutError, RpcUnavailableError } from '@agent-trust/nats-rpc';
import { EndUnrecordedError } from './exchange/exchange-record.ts';

/** Tells refusals from failures: what the caller did wrong, and what it may try again later. Anything else is a defect. */
export function toRefusal(error: unknown): RefusalFields | null {
  if (error instanceof DomainError) return refusalOf(error);
  if (error instanceof EndUnrecordedError) {
    return { code: 'unavailable', detail: error.message, data: { transactionId: error.transactionId } };
  }
  if (error instanceof EventLogError && error.retryable) {
    return { code: 'unavailable', detail: 'The event log cannot be reached; try again later.' };
  }
  if (error instanceof RpcUnavailableError || error instanceof RpcTimeoutError) {
    return { code: 'unavailable', detail: 'A part of the registry cannot be reached; try again later.' };
  }
  return null;
}
