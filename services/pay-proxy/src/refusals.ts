import { DomainError, refusalOf } from '@agent-trust/contracts';
import { type RefusalFields, RpcTimeoutError, RpcUnavailableError } from '@agent-trust/nats-rpc';

/** Tells refusals from failures: what the payer did wrong, and what it may try again later. Anything else is a defect. */
export function toRefusal(error: unknown): RefusalFields | null {
  if (error instanceof DomainError) return refusalOf(error);
  if (error instanceof RpcUnavailableError || error instanceof RpcTimeoutError) {
    return {
      code: 'unavailable',
      detail: 'A part of the registry cannot be reached; nothing was sent, try again later.',
    };
  }
  return null;
}
