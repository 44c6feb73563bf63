import { edgeLimits } from '../limits.ts';
import { idempotencyLimits as limits } from './limits.ts';

/**
 * Milliseconds for which the gateway that carries a request out is thought to be alive: all that the request may take. A lease that ended
 * before would let a repetition run beside it.
 *
 * @param readModelWaitMs READ_MODEL_WAIT_MS.
 */
export function leaseMsOf(readModelWaitMs: number): number {
  // What is looked up and remembered before the command; the command; the read after it; keeping the answer, at a second attempt shorter.
  return (
    edgeLimits.queryTimeoutMs +
    limits.storeTimeoutMs +
    edgeLimits.commandTimeoutMs +
    readModelWaitMs +
    edgeLimits.readModelMarginMs +
    2 * limits.storeTimeoutMs +
    limits.leaseMarginMs
  );
}
