import { DomainError } from '@agent-trust/contracts';

const givenUp = (): DomainError =>
  new DomainError('overloaded', 'The turn of this question did not come in the time that it had; try again later.');

/**
 * Does a piece of work when its turn comes. `signal` is that of the question: it aborts when nobody waits for the answer any more. `client`
 * is who asks: clients take turns.
 */
export type SharedTurns<Value> = (
  key: string,
  work: () => Promise<Value>,
  signal?: AbortSignal,
  client?: string,
) => Promise<Value>;

/** `waitingMax` and `waitingOfClientMax` count callers: all, and those of one client (as many as of all, if it is left out). */
export type TurnLimits = { atOnceMax: number; waitingMax: number; waitingOfClientMax?: number };

type Caller<Value> = { client: string; resolve: (value: Value) => void; reject: (error: unknown) => void };
type Waiting<Value> = { work: () => Promise<Value>; callers: Set<Caller<Value>> };

/**
 * Runs few pieces of work at one time; the others wait. Clients take turns, one piece each, so what one client asks delays the others by
 * their own pieces and no more; pieces of one client run in order. Callers with the same key share one piece while it waits, and it runs at
 * the first turn of any of them. A caller whose signal aborts during the wait is refused, and a piece without callers is never begun.
 *
 * @throws DomainError `overloaded` when too many wait, or the signal aborted during the wait; what `work` throws
 */
export function sharedTurns<Value>(limits: TurnLimits): SharedTurns<Value> {
  const { atOnceMax, waitingMax, waitingOfClientMax = waitingMax } = limits;
  const waiting = new Map<string, Waiting<Value>>();
  /** The keys that each client waits for. The client whose turn comes next is the first. */
  const keysOf = new Map<string, Set<string>>();
  const waitingOf = new Map<string, number>();
  let waitingCount = 0;
  let running = 0;

  const count = (client: string, by: 1 | -1): void => {
    waitingCount += by;
    const left = (waitingOf.get(client) ?? 0) + by;
    if (left > 0) waitingOf.set(client, left);
    else waitingOf.delete(client);
  };

  /** Takes the next piece out of the queue, and sends its client to the end of the line. */
  const next = (): Waiting<Value> | undefined => {
    for (const [client, keys] of keysOf) {
      keysOf.delete(client);
      for (const key of keys) {
        keys.delete(key);
        const piece = waiting.get(key);
        // It may have run at another client's turn.
        if (piece === undefined) continue;
        if (keys.size > 0) keysOf.set(client, keys);
        waiting.delete(key);
        for (const caller of piece.callers) count(caller.client, -1);
        return piece;
      }
    }
    return undefined;
  };

  const runNext = async (): Promise<void> => {
    running += 1;
    for (let piece = next(); piece !== undefined; piece = next()) {
      const { work, callers } = piece;
      try {
        const value = await work();
        for (const { resolve } of callers) resolve(value);
      } catch (error) {
        for (const { reject } of callers) reject(error);
      }
    }
    running -= 1;
  };

  const leave = (key: string, piece: Waiting<Value>, caller: Caller<Value>): void => {
    // Work that has begun is not ended, but nobody has to wait for it.
    caller.reject(givenUp());
    if (waiting.get(key) !== piece) return;
    const { client } = caller;
    piece.callers.delete(caller);
    count(client, -1);
    if (piece.callers.size === 0) waiting.delete(key);
    if ([...piece.callers].some((other) => other.client === client)) return;
    const keys = keysOf.get(client);
    keys?.delete(key);
    if (keys?.size === 0) keysOf.delete(client);
  };

  return async (key, work, signal, client = '') => {
    if (signal?.aborted === true) throw givenUp();
    if (waitingCount >= waitingMax || (waitingOf.get(client) ?? 0) >= waitingOfClientMax) {
      throw new DomainError('overloaded', 'Too many questions of this kind are waiting; try again later.');
    }
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const caller = { client, resolve, reject };
    const piece = waiting.get(key) ?? { work, callers: new Set() };
    waiting.set(key, piece);
    piece.callers.add(caller);
    keysOf.set(client, (keysOf.get(client) ?? new Set()).add(key));
    count(client, 1);
    const giveUp = (): void => leave(key, piece, caller);
    signal?.addEventListener('abort', giveUp, { once: true });
    // It settles every piece that it takes and never rejects.
    if (running < atOnceMax) void runNext();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  };
}
