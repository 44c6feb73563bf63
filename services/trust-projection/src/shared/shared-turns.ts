import { DomainError } from '@agent-trust/contracts';

const givenUp = (): DomainError =>
  new DomainError('overloaded', 'The turn of this question did not come in the time that it had; try again later.');

/** Does a piece of work when its turn comes. `signal` is that of the question: it aborts when nobody waits for the answer any more. */
export type SharedTurns<Value> = (key: string, work: () => Promise<Value>, signal?: AbortSignal) => Promise<Value>;

type Caller<Value> = { resolve: (value: Value) => void; reject: (error: unknown) => void };
type Waiting<Value> = { work: () => Promise<Value>; callers: Set<Caller<Value>> };

/**
 * Runs few pieces of work at one time; the others wait in order. Callers with the same key share one piece while it waits. A caller whose
 * signal aborts during the wait is refused, and a piece without callers is never begun.
 *
 * @param limits `waitingMax` counts callers
 * @throws DomainError `overloaded` when too many wait, or the signal aborted during the wait; what `work` throws
 */
export function sharedTurns<Value>(limits: { atOnceMax: number; waitingMax: number }): SharedTurns<Value> {
  const waiting = new Map<string, Waiting<Value>>();
  let waitingCount = 0;
  let running = 0;

  const runNext = async (): Promise<void> => {
    running += 1;
    for (const [key, { work, callers }] of waiting) {
      waiting.delete(key);
      waitingCount -= callers.size;
      try {
        const value = await work();
        for (const { resolve } of callers) resolve(value);
      } catch (error) {
        for (const { reject } of callers) reject(error);
      }
    }
    running -= 1;
  };

  return async (key, work, signal) => {
    if (signal?.aborted === true) throw givenUp();
    if (waitingCount >= limits.waitingMax) {
      throw new DomainError('overloaded', 'Too many questions of this kind are waiting; try again later.');
    }
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const caller = { resolve, reject };
    const piece = waiting.get(key) ?? { work, callers: new Set() };
    waiting.set(key, piece);
    piece.callers.add(caller);
    waitingCount += 1;
    const giveUp = (): void => {
      // Work that has begun is not ended, but nobody has to wait for it.
      reject(givenUp());
      if (waiting.get(key) !== piece) return;
      piece.callers.delete(caller);
      waitingCount -= 1;
      if (piece.callers.size === 0) waiting.delete(key);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    // It settles every piece that it takes and never rejects.
    if (running < limits.atOnceMax) void runNext();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  };
}
