import { createBoundedMap } from '@agent-trust/limits';
import { type Dispatcher, Pool } from 'undici';
import { endAtAnnouncedLength } from './end-at-announced-length.ts';
import { notifyStart } from './notify-start.ts';
import { OutboundError } from './outbound-error.ts';

export type OriginLimits = { originsMax: number; requestsPerOriginMax: number };

export type OriginPools = {
  /** The pool of an origin for one request, which is sent by `dispatcher` and ended by `leave`. Throws OutboundError `unreachable` if the origin or the client has too many. */
  enter: (origin: string) => { pool: Pool; dispatcher: Dispatcher; leave: () => void };
  close(): Promise<void>;
};

type Entry = { pool: Pool; dispatcher: Dispatcher; requests: number };

const openPool = (origin: string, options: Pool.Options): Entry => {
  const pool = new Pool(origin, options);
  return { pool, dispatcher: pool.compose(notifyStart, endAtAnnouncedLength), requests: 0 };
};

/**
 * Connection pools by origin, bounded in number. A new origin replaces the least recently used one without a request under way: a flood of origins
 * costs others their idle connections, never their requests. (undici's own `maxOrigins` refuses new origins until idle ones have timed out.)
 */
export function createOriginPools(
  poolOptions: Pool.Options,
  { originsMax, requestsPerOriginMax }: OriginLimits,
): OriginPools {
  const entries = createBoundedMap<string, Entry>({
    countMax: originsMax,
    mayEvict: ({ requests }) => requests === 0,
    onEvict: ({ pool }) => void pool.destroy(),
  });
  let isClosed = false;

  return {
    enter: (origin) => {
      if (isClosed) throw new OutboundError('aborted', 'client_closed');
      const entry = entries.get(origin) ?? openPool(origin, poolOptions);
      if (!entries.set(origin, entry)) throw new OutboundError('unreachable', 'too_many_origins');
      if (entry.requests >= requestsPerOriginMax) throw new OutboundError('unreachable', 'too_many_requests');
      entry.requests += 1;
      return {
        pool: entry.pool,
        dispatcher: entry.dispatcher,
        leave: () => {
          entry.requests -= 1;
        },
      };
    },
    close: async () => {
      isClosed = true;
      await Promise.all(Array.from(entries.values(), ({ pool }) => pool.destroy()));
      entries.clear();
    },
  };
}
