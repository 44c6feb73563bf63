import { lookup } from 'node:dns/promises';
import { createKnownNames } from './known-names.ts';
import { outboundLimits } from './limits.ts';
import { lookupsAtOnce } from './lookup-threads.ts';
import { OutboundError } from './outbound-error.ts';

/** All addresses of a name, in the order in which they should be tried. */
export type ResolveName = (host: string) => Promise<readonly string[]>;

export type Resolver = {
  /**
   * @throws {OutboundError} `lookup_timeout` when the name was being looked up for all of the time, `lookup_queue_timeout` when it had
   *   to wait for other names first, `too_many_lookups` when too many do; and whatever `resolveAll` throws.
   */
  resolve: ResolveName;
  /** Whether the name is waiting, or had to wait, for its lookup that is not over: then it says nothing of the name how long it takes. */
  isHeldUp(host: string): boolean;
};

export type ResolverOptions = {
  /** Instead of the operating system's resolver (`/etc/hosts` included). */
  resolveAll?: ResolveName | undefined;
  timeoutMs?: number;
  atOnceMax?: number;
  waitingMax?: number;
};

type Lookup = {
  host: string;
  domain: string;
  answer: PromiseWithResolvers<readonly string[]>;
  askers: number;
  wasQueued: boolean;
};

/**
 * Resolves names, a bounded number at once. Whoever asks for a name that is being looked up shares that lookup; nothing is kept beyond
 * it, so every later connection asks again. A lookup cannot be ended, and whoever runs a name's servers can make it last for minutes, so
 * no domain gets more than a quarter of the places, and names that did not answer promptly when they were last asked for, or never were,
 * share a half: silent names, however many, leave the rest to those that answer.
 */
export const createResolver = (options: ResolverOptions = {}): Resolver => {
  const { resolveAll = systemResolve, timeoutMs = outboundLimits.timeouts.lookupMs } = options;
  const { atOnceMax = lookupsAtOnce(process.env['UV_THREADPOOL_SIZE']) } = options;
  const { waitingMax = outboundLimits.lookupsWaitingMax } = options;
  const ofOneDomain = (all: number): number => Math.max(1, Math.floor(all / 4));
  const unknownMax = Math.max(1, Math.floor(atOnceMax / 2));
  const known = createKnownNames();
  const running = new Map<string, Lookup>();
  // In the order of their coming.
  const queue = new Map<string, Lookup>();

  const count = (lookups: Map<string, Lookup>, counts: (lookup: Lookup) => boolean): number =>
    [...lookups.values()].filter(counts).length;
  const mayStart = ({ host, domain }: Lookup): boolean =>
    running.size < atOnceMax &&
    count(running, (other) => other.domain === domain) < ofOneDomain(atOnceMax) &&
    (known.has(host) || count(running, (other) => !known.has(other.host)) < unknownMax);

  const start = async ({ host, answer }: Lookup): Promise<void> => {
    const startedAt = performance.now();
    try {
      const addresses = await resolveAll(host);
      if (performance.now() - startedAt <= outboundLimits.promptLookupMs) known.add(host);
      else known.forget(host);
      answer.resolve(addresses);
    } catch (error) {
      known.forget(host);
      answer.reject(error);
    }
    running.delete(host);
    startWaiting();
  };
  const run = (lookup: Lookup): void => {
    queue.delete(lookup.host);
    running.set(lookup.host, lookup);
    void start(lookup);
  };
  const startWaiting = (): void => {
    for (const waiting of queue.values()) {
      if (running.size >= atOnceMax) return;
      if (mayStart(waiting)) run(waiting);
    }
  };

  const begin = (host: string): Lookup => {
    const lookup: Lookup = {
      host,
      domain: domainOf(host),
      answer: Promise.withResolvers(),
      askers: 0,
      wasQueued: false,
    };
    // All who asked may have gone by the time it fails.
    lookup.answer.promise.catch(() => {});
    if (mayStart(lookup)) {
      run(lookup);
      return lookup;
    }
    const isFull =
      queue.size >= waitingMax || count(queue, ({ domain }) => domain === lookup.domain) >= ofOneDomain(waitingMax);
    if (isFull) throw new OutboundError('unreachable', 'too_many_lookups');
    lookup.wasQueued = true;
    queue.set(host, lookup);
    return lookup;
  };

  return {
    resolve: async (host) => {
      const asked = running.get(host) ?? queue.get(host) ?? begin(host);
      const lateReason = queue.has(host) ? 'lookup_queue_timeout' : 'lookup_timeout';
      asked.askers += 1;
      try {
        return await withinTime(asked.answer.promise, timeoutMs, lateReason);
      } finally {
        asked.askers -= 1;
        if (asked.askers === 0 && queue.get(host) === asked) queue.delete(host);
      }
    },
    isHeldUp: (host) => (running.get(host) ?? queue.get(host))?.wasQueued ?? false,
  };
};

/**
 * What stands for whoever runs a name's servers: its last two labels. Names below a registry's second level (`co.uk`) share one, which
 * costs them a part of the places, never all.
 */
const domainOf = (host: string): string => host.replace(/\.+$/u, '').split('.').slice(-2).join('.');

const systemResolve: ResolveName = async (host) => {
  const records = await lookup(host, { all: true, order: 'verbatim' });
  return records.map((record) => record.address);
};

const withinTime = async <Result>(work: Promise<Result>, timeoutMs: number, lateReason: string): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutboundError('timeout', lateReason)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
