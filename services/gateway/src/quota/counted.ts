import { DomainError, type ErrorCode } from '@agent-trust/contracts';
import { RpcRefusedError, RpcUnavailableError } from '@agent-trust/nats-rpc';
import { toRefusal } from '../http/error-answer.ts';
import type { Admitted } from './quotas.ts';

/** Runs what was counted. What throws counts as failed. */
export async function counted<Result>(admitted: Admitted, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    admitted.failed();
    throw error;
  }
}

/** Runs a command that was counted. What throws counts as failed, and only as that if nothing was done. */
export function countedIfDone<Result>(admitted: Admitted, work: () => Promise<Result>): Promise<Result> {
  return counted(admitted, async () => {
    try {
      return await work();
    } catch (error) {
      if (didNothing(error)) admitted.giveBack();
      throw error;
    }
  });
}

/** Refusals after which something may have been done. `call_already_made` is not one: the call was counted when it was made. */
const mayHaveDone: ReadonlySet<ErrorCode> = new Set([
  'downstream_failed',
  'unavailable',
  'read_model_behind',
  'log_rolled_back',
  'payload_too_large',
  // A body that is passed on as it comes, and breaks off.
  'malformed_request',
  'internal',
]);

const didNothing = (error: unknown): boolean => {
  if (error instanceof RpcUnavailableError) return !error.outcomeUnknown;
  if (!(error instanceof RpcRefusedError || error instanceof DomainError)) return false;
  const code = toRefusal(error)?.code;
  return code !== undefined && !mayHaveDone.has(code);
};
