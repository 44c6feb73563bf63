import { Pool } from 'undici';
import { OutboundError } from './outbound-error.ts';

export type OriginLimits = { originsMax: number; requestsPerOriginMax: number };

export type OriginPools = {
  /**
   * The pool of an origin, for one request; `leave` ends its use.
   *
   * @throws {OutboundError} `unreachable` when the origin has too many requests, or all of too many origins have some.
   */
  enter: (origin: string) => { pool: Pool; leave: () => void };
  close(): Promise<void>;
};

type Entry = { pool: Pool; requests: number };

/**
 * Connection pools by origin, a bounded number of them. A new origin takes the place of the one that has been without a
 * request for longest: so a flood of origins costs others their idle connections, never their requests. (undici's own
 * `maxOrigins` refuses new origins until idle ones have timed out.)
 */
export function createOriginPools(
  poolOptions: Pool.Options,
  { originsMax, requestsPerOriginMax }: OriginLimits,
): OriginPools {
  // In the order of their last use.
  const entries = new Map<string, Entry>();
  let isClosed = false;

  const makeRoom = (): void => {
    if (entries.size < originsMax) return;
    for (const [origin, entry] of entries) {
      if (entry.requests > 0) continue;
      entries.delete(origin);
      void entry.pool.destroy();
      return;
    }
    throw new OutboundError('unreachable', 'too_many_origins');
  };
  const open = (origin: string): Entry => {
    makeRoom();
    return { pool: new Pool(origin, poolOptions), requests: 0 };
  };

  return {
    enter: (origin) => {
      if (isClosed) throw new OutboundError('aborted', 'client_closed');
      const entry = entries.get(origin) ?? open(origin);
      if (entry.requests >= requestsPerOriginMax) throw new OutboundError('unreachable', 'too_many_requests');
      entry.requests += 1;
      entries.delete(origin);
      entries.set(origin, entry);
      return {
        pool: entry.pool,
        leave: () => {
          entry.requests -= 1;
        },
      };
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...entries.values()].map(({ pool }) => pool.destroy()));
      entries.clear();
    },
  };
}
