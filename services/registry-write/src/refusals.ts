import { DomainError, refusalOf } from '@agent-trust/contracts';
import { EventLogError, WrongExpectedRevisionError } from '@agent-trust/event-log';
import { LogRolledBackError } from '@agent-trust/log-state';
import { KeyStoreUnavailableError } from '@agent-trust/personal-data';
import { type RefusalFields, RpcTimeoutError, RpcUnavailableError } from '@agent-trust/nats-rpc';

/** Maps expected errors to refusals: faults of the client, and outages that may pass. Any other error is a defect, and null. */
export function toRefusal(error: unknown): RefusalFields | null {
  if (error instanceof DomainError) return refusalOf(error);
  if (error instanceof LogRolledBackError) return error.refusal();
  if (error instanceof WrongExpectedRevisionError) {
    return {
      code: 'write_conflict',
      detail: 'Too many writes to the same record at once; nothing was written. Try again.',
    };
  }
  if (error instanceof EventLogError && error.retryable) {
    return {
      code: 'unavailable',
      detail: 'The event log cannot be reached or did not answer in time; try again later.',
    };
  }
  if (error instanceof KeyStoreUnavailableError) {
    return { code: 'unavailable', detail: 'The keys of personal data cannot be reached; try again later.' };
  }
  if (error instanceof RpcUnavailableError || error instanceof RpcTimeoutError) {
    return { code: 'unavailable', detail: 'A part of the registry cannot be reached; try again later.' };
  }
  return null;
}
