import { DomainError } from '@agent-trust/contracts';
import { type CheckpointWatcher, WaitForPositionError } from '@agent-trust/projections';
import type { CallContext } from '@agent-trust/nats-rpc';

/**
 * Waits until the live read model has reached a position, no longer than the caller does.
 *
 * @throws DomainError `read_model_behind`; `overloaded` when too many wait already
 */
export async function reach(
  watcher: CheckpointWatcher,
  position: string | undefined,
  call: CallContext,
  timeoutMs: number,
): Promise<void> {
  if (position === undefined) return;
  const wanted = BigInt(position);
  const current = watcher.current();
  // Spares the timers and the signal in the usual case.
  if (current !== null && current >= wanted) return;
  try {
    await watcher.waitFor(wanted, { timeoutMs: Math.min(timeoutMs, call.remainingMs()), signal: call.signal });
  } catch (error) {
    if (!(error instanceof WaitForPositionError)) throw error;
    if (error.reason === 'too_many_waiters') {
      throw new DomainError('overloaded', 'Too many queries wait for the read model; try again later.');
    }
    const at = error.current === null ? 'empty' : `at position ${error.current}`;
    throw new DomainError('read_model_behind', `The read model is ${at}, not yet at ${position}.`, { cause: error });
  }
}
