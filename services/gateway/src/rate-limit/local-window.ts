import { createBoundedMap } from '@agent-trust/limits';
import { admit, tooMany, type Window } from './rate-limiter.ts';

/** A limit that this gateway counts on its own. */
export type LocalWindow = {
  /** Counts one request of a key and returns how to undo that. @throws HttpRefusal rate_limited, with Retry-After. */
  take(key: string): () => void;
};

/** @param keysMax keys that are counted; beyond it the oldest entry is evicted. */
export function createLocalWindow(window: Window, keysMax: number, now: () => number = Date.now): LocalWindow {
  // A refused key is not renewed: entries are read by `peek`.
  const taken = createBoundedMap<string, readonly number[]>({ countMax: keysMax });
  return {
    take: (key) => {
      const admission = admit(window, taken.peek(key) ?? [], now());
      if (!admission.admitted) throw tooMany(window, admission.retryAfterMs);
      taken.set(key, admission.admittedAt);
      return () => {
        const counted = taken.peek(key);
        // A new entry for a key that was evicted meanwhile would evict another.
        if (counted !== undefined) taken.set(key, counted.slice(0, -1));
      };
    },
  };
}
