import { DomainError } from '@agent-trust/contracts';
import {
  RpcInternalError,
  RpcProtocolError,
  RpcRefusedError,
  RpcTimeoutError,
  RpcUnavailableError,
} from '@agent-trust/nats-rpc';
import { HttpRefusal } from '../http/refusal.ts';
import type { Unrepeatable } from './read-your-writes.ts';

/** Whether a command may have been carried out although it ended with this error. */
function mayHaveHappened(error: unknown): boolean {
  // The service's own word for an event log that did not answer in time.
  if (error instanceof RpcRefusedError) return error.code === 'unavailable';
  if (error instanceof RpcUnavailableError) return error.outcomeUnknown;
  return error instanceof RpcTimeoutError || error instanceof RpcInternalError || error instanceof RpcProtocolError;
}

/**
 * For what only this answer can bring, such as a new key: when nobody knows whether the command was carried out, its owner gets it all the
 * same. To keep it back could lock the owner out for good.
 *
 * @param advice What the owner does with it.
 * @throws HttpRefusal unavailable, with `issued` in the body; or the error itself, when nothing was written.
 */
export function issuedAnyway(issued: Unrepeatable, advice: string) {
  return (error: unknown): never => {
    if (!mayHaveHappened(error)) throw error;
    throw new HttpRefusal(new DomainError('unavailable', advice, { cause: error }), { fields: issued });
  };
}

export const keepBothKeys = 'it is not known whether the key was replaced: keep both, one of them works';
