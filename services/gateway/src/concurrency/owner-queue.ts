import { DomainError } from '@agent-trust/contracts';
import { ConcurrencyLimiter } from '@agent-trust/limits';

type QueueBounds = {
  /** Requests of one owner, and of all, that run at one time … */
  ownerMax: number;
  allMax: number;
  /** … and that wait for their turn. */
  ownerWaitingMax: number;
  allWaitingMax: number;
  /** How long one waits. */
  waitMs: number;
};

/** Lets few requests run at one time: of each owner, and of all. The others wait for their turn. */
export type OwnerQueue = {
  /**
   * Resolves when it is the turn of a request of `owner`, with what ends it. @param signal aborts when nobody waits for the answer any more.
   * @throws DomainError overloaded when too many wait, or its turn has not come in time
   */
  enter(owner: string, signal?: AbortSignal): Promise<() => void>;
};

type Waiter = { begin: (end: () => void) => void };

const keyOf = (owner: string): string => `owner ${owner}`;

export function createOwnerQueue(bounds: QueueBounds): OwnerQueue {
  const { ownerMax, allMax, ownerWaitingMax, allWaitingMax, waitMs } = bounds;
  const running = new ConcurrencyLimiter();
  /** The owner at the front had its turn the longest ago. */
  const waiting = new Map<string, Set<Waiter>>();
  let waitingCount = 0;

  const tryBegin = (owner: string): (() => void) | undefined => {
    const { release } = running.tryAcquire([
      { key: keyOf(owner), max: ownerMax },
      { key: 'all', max: allMax },
    ]);
    if (release === undefined) return undefined;
    return () => {
      release();
      beginNext();
    };
  };

  const leave = (owner: string, waiter: Waiter): boolean => {
    const ofOwner = waiting.get(owner);
    if (ofOwner?.delete(waiter) !== true) return false;
    waitingCount -= 1;
    if (ofOwner.size === 0) waiting.delete(owner);
    return true;
  };

  /** Owners take turns, so that one with many requests delays another's by no more than one each. */
  const beginNext = (): void => {
    for (const [owner, ofOwner] of waiting) {
      const [next] = ofOwner;
      const end = next && tryBegin(owner);
      if (next === undefined || end === undefined) continue;
      leave(owner, next);
      if (ofOwner.size > 0) {
        waiting.delete(owner);
        waiting.set(owner, ofOwner);
      }
      return next.begin(end);
    }
  };

  const wait = async (owner: string, signal: AbortSignal | undefined): Promise<() => void> => {
    const ofOwner = waiting.get(owner) ?? new Set();
    if (ofOwner.size >= ownerWaitingMax || waitingCount >= allWaitingMax) {
      throw new DomainError('overloaded', 'too many such requests wait for their turn; nothing was done, try again', {
        limitedBy: ofOwner.size >= ownerWaitingMax ? 'caller' : undefined,
      });
    }
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiter = { begin: resolve };
    waiting.set(owner, ofOwner.add(waiter));
    waitingCount += 1;
    const giveUp = (): void => {
      if (!leave(owner, waiter)) return;
      reject(
        new DomainError('overloaded', 'the turn of this request has not come in time; nothing was done, try again', {
          limitedBy: running.running(keyOf(owner)) >= ownerMax ? 'caller' : undefined,
        }),
      );
    };
    const timer = setTimeout(giveUp, waitMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
  };

  return {
    // Whoever waits already comes first.
    enter: async (owner, signal) => (waiting.has(owner) ? undefined : tryBegin(owner)) ?? (await wait(owner, signal)),
  };
}
