/** As many wait as may; nothing was done. */
export class TooManyWaitingError extends Error {
  constructor() {
    super('Too many questions of this kind are waiting; try again later.');
    this.name = 'TooManyWaitingError';
  }
}

/** Answers a key, or null where there is nothing for it. */
export type Lookup<Value> = (key: string) => Promise<Value | null>;

type Waiting<Value> = { resolve: (value: Value | null) => void; reject: (error: unknown) => void };

/**
 * Makes one round trip of many concurrent lookups. The first goes at once; those that arrive while round trips are under way gather
 * for the next. A lookup only joins a round trip that has not been sent yet, so its answer is never older than its question.
 *
 * @param load answers for all the keys; keys without an answer are left out
 * @throws TooManyWaitingError; what `load` throws
 */
export function coalescedLookup<Value>(
  load: (keys: string[]) => Promise<ReadonlyMap<string, Value>>,
  limits: { keysMax: number; waitingMax: number; roundTripsMax: number },
): Lookup<Value> {
  const waiting = new Map<string, Waiting<Value>[]>();
  let waitingCount = 0;
  let roundTrips = 0;

  const roundTrip = async (): Promise<void> => {
    const taken = new Map<string, Waiting<Value>[]>();
    for (const [key, lookups] of waiting) {
      if (taken.size === limits.keysMax) break;
      taken.set(key, lookups);
      waiting.delete(key);
      waitingCount -= lookups.length;
    }
    try {
      const found = await load([...taken.keys()]);
      for (const [key, lookups] of taken) for (const { resolve } of lookups) resolve(found.get(key) ?? null);
    } catch (error) {
      for (const lookups of taken.values()) for (const { reject } of lookups) reject(error);
    }
  };
  const run = async (): Promise<void> => {
    roundTrips += 1;
    // The rest of this turn of the event loop may bring more keys: messages arrive many at a time.
    await Promise.resolve();
    while (waiting.size > 0) await roundTrip();
    roundTrips -= 1;
  };

  return (key) =>
    new Promise<Value | null>((resolve, reject) => {
      if (waitingCount >= limits.waitingMax) {
        reject(new TooManyWaitingError());
        return;
      }
      const lookups = waiting.get(key);
      if (lookups === undefined) waiting.set(key, [{ resolve, reject }]);
      else lookups.push({ resolve, reject });
      waitingCount += 1;
      // `run` settles every lookup it takes and never rejects.
      if (roundTrips < limits.roundTripsMax) void run();
    });
}
