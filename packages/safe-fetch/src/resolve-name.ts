import { lookup } from 'node:dns/promises';
import { createBoundedMap, withDeadline, withFallback } from '@agent-trust/limits';
import { outboundLimits } from './limits.ts';
import { lookupsAtOnce } from './lookup-threads.ts';
import { OutboundError } from './outbound-error.ts';

/** All addresses of a name, in the order in which they should be tried. */
export type ResolveName = (host: string) => Promise<readonly string[]>;

export type Resolver = {
  /**
   * The addresses of a name; its earlier addresses if its lookup has to wait, is late or fails.
   *
   * @throws {OutboundError} `lookup_timeout` if the lookup ran for the whole time, `lookup_queue_timeout` if it had to wait for other names first,
   *   `too_many_lookups` if too many wait; and whatever `resolveAll` throws.
   */
  resolve: ResolveName;
  /** Whether the name's lookup waits, or had to wait, for others: then its duration says nothing about the name. */
  isQueueDelayed(host: string): boolean;
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
  startedAt: number | null;
};

/**
 * Resolves names, a bounded number at a time. Concurrent requests for a name share one lookup, and every later connection looks the name up again. A
 * lookup cannot be cancelled, and the owner of a name's servers can make it last for minutes, even after many prompt answers. So the last answer of a
 * name is kept for a while, and used if its next lookup gets no place, is late or fails (as in RFC 8767; the connector checks kept addresses like all
 * others): silent servers of other names never block a name that has answered recently.
 *
 * Other names have reserved places: no domain gets more than a quarter of all places, and names without a kept answer, or of a domain that has been
 * late, share half of them.
 */
export function createResolver(options: ResolverOptions = {}): Resolver {
  const { resolveAll = systemResolve, timeoutMs = outboundLimits.timeouts.lookupMs } = options;
  const { atOnceMax = lookupsAtOnce(process.env['UV_THREADPOOL_SIZE']) } = options;
  const { waitingMax = outboundLimits.lookupsWaitingMax } = options;
  const ofOneDomain = (all: number): number => Math.max(1, Math.floor(all / 4));
  const unknownMax = Math.max(1, Math.floor(atOnceMax / 2));
  const answers = createBoundedMap<string, readonly string[]>({
    countMax: outboundLimits.namesKeptMax,
    lifetimeMs: outboundLimits.answersKeptMs,
  });
  const lateDomains = createBoundedMap<string, true>({
    countMax: outboundLimits.lateDomainsMax,
    lifetimeMs: outboundLimits.lateDomainMs,
  });
  const running = new Map<string, Lookup>();
  // In order of arrival.
  const queue = new Map<string, Lookup>();

  const count = (lookups: Map<string, Lookup>, counts: (lookup: Lookup) => boolean): number =>
    [...lookups.values()].filter(counts).length;
  const isKnown = ({ host, domain }: Lookup): boolean => answers.has(host) && !lateDomains.has(domain);
  const mayStart = (lookup: Lookup): boolean =>
    running.size < atOnceMax &&
    count(running, ({ domain }) => domain === lookup.domain) < ofOneDomain(atOnceMax) &&
    (isKnown(lookup) || count(running, (other) => !isKnown(other)) < unknownMax);

  const keep = (host: string, addresses: readonly string[]): void => {
    if (addresses.length > 0 && addresses.length <= outboundLimits.addressesKeptMax) answers.set(host, addresses);
    else answers.delete(host);
  };
  const start = async ({ host, domain, answer }: Lookup): Promise<void> => {
    // Not when it has ended: until then, other names of its domain would take more places.
    const lateTimer = setTimeout(() => lateDomains.set(domain, true), outboundLimits.promptLookupMs);
    try {
      const addresses = await resolveAll(host);
      keep(host, addresses);
      answer.resolve(addresses);
    } catch (error) {
      if (isUnknownName(error)) answers.delete(host);
      answer.reject(error);
    }
    clearTimeout(lateTimer);
    running.delete(host);
    startWaiting();
  };
  const run = (lookup: Lookup): void => {
    queue.delete(lookup.host);
    running.set(lookup.host, lookup);
    lookup.startedAt = performance.now();
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
      startedAt: null,
    };
    // Every caller that waited for it may have left when it fails.
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

  const ask = async (host: string): Promise<readonly string[]> => {
    const asked = running.get(host) ?? queue.get(host) ?? begin(host);
    const lateReason = queue.has(host) ? 'lookup_queue_timeout' : 'lookup_timeout';
    asked.askers += 1;
    try {
      return await withDeadline(asked.answer.promise, timeoutMs, () => new OutboundError('timeout', lateReason));
    } finally {
      asked.askers -= 1;
      if (asked.askers === 0 && queue.get(host) === asked) queue.delete(host);
    }
  };
  /** How much longer the name's lookup may take and still be prompt. */
  const promptForMs = (host: string): number => {
    const startedAt = running.get(host)?.startedAt ?? Number.NEGATIVE_INFINITY;
    return Math.max(0, startedAt + outboundLimits.promptLookupMs - performance.now());
  };

  return {
    resolve: (host) => {
      const kept = answers.get(host);
      // Also if nobody waits for the answer: otherwise the kept answer of a name in use would expire.
      const fresh = ask(host);
      return kept === undefined ? fresh : freshOrKept(fresh, kept, promptForMs(host));
    },
    isQueueDelayed: (host) => !answers.has(host) && ((running.get(host) ?? queue.get(host))?.wasQueued ?? false),
  };
}

/** Approximates the owner of a name's servers by two labels. Names below `co.uk` share one, which costs them part of the places, never all. */
const domainOf = (host: string): string => host.replace(/\.+$/u, '').split('.').slice(-2).join('.');

const systemResolve: ResolveName = async (host) => {
  const records = await lookup(host, { all: true, order: 'verbatim' });
  return records.map((record) => record.address);
};

/** The fresh answer if it comes within `waitMs`, else the kept one. Rejects like `fresh` if the name does not exist. */
const freshOrKept = async (
  fresh: Promise<readonly string[]>,
  kept: readonly string[],
  waitMs: number,
): Promise<readonly string[]> => {
  const answered = fresh.catch((error: unknown) => {
    if (isUnknownName(error)) throw error;
    return kept;
  });
  if (waitMs > 0) return withFallback(answered, waitMs, () => kept);
  // The answer may come when nobody waits for it any more.
  answered.catch(() => {});
  return kept;
};

/** The servers' answer that the name does not exist, as opposed to a failed lookup (`EAI_AGAIN`). */
const isUnknownName = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOTFOUND';
