import { lookup } from 'node:dns/promises';
import { createBoundedMap, withDeadline, withFallback } from '@agent-trust/limits';
import { outboundLimits } from './limits.ts';
import { lookupsAtOnce } from './lookup-threads.ts';
import { OutboundError } from './outbound-error.ts';

/** All addresses of a name, in the order in which they should be tried. */
export type ResolveName = (host: string) => Promise<readonly string[]>;

export type Resolver = {
  /**
   * The addresses of a name; those it had a while ago where its lookup has to wait, is late or fails.
   *
   * @throws {OutboundError} `lookup_timeout` when the name was being looked up for all of the time, `lookup_queue_timeout` when it had
   *   to wait for other names first, `too_many_lookups` when too many do; and whatever `resolveAll` throws.
   */
  resolve: ResolveName;
  /** Whether those who ask for the name wait for a lookup that has or had to wait for others: then it says nothing of the name how long it takes. */
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
  startedAt: number | null;
};

/**
 * Resolves names, a bounded number at once. Whoever asks for a name that is being looked up shares that lookup, and every later
 * connection asks again. A lookup cannot be ended, and whoever runs a name's servers can make it last for minutes, also after many
 * prompt answers. So what a name answered is kept for a while, for when its next lookup has no place, is late or fails (as in RFC 8767;
 * the connector checks these addresses as it does all others): no silence of others' servers holds up a name that has answered lately.
 *
 * Names that have not are left some places: no domain gets more than a quarter of all, and names without a kept answer, or of a domain
 * that has been late, share a half.
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
  // In the order of their coming.
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
    // Not when it is over: until then, others of its domain would take more places.
    const lateTimer = setTimeout(() => lateDomains.set(domain, true), outboundLimits.promptLookupMs);
    try {
      const addresses = await resolveAll(host);
      keep(host, addresses);
      answer.resolve(addresses);
    } catch (error) {
      if (isGone(error)) answers.delete(host);
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
  /** How much longer the name's lookup may take and be prompt. */
  const promptForMs = (host: string): number => {
    const startedAt = running.get(host)?.startedAt ?? Number.NEGATIVE_INFINITY;
    return Math.max(0, startedAt + outboundLimits.promptLookupMs - performance.now());
  };

  return {
    resolve: (host) => {
      const kept = answers.get(host);
      // Also where nobody waits for it: else what is kept of a name that is in use would come to its end.
      const fresh = ask(host);
      return kept === undefined ? fresh : freshOrKept(fresh, kept, promptForMs(host));
    },
    isHeldUp: (host) => !answers.has(host) && ((running.get(host) ?? queue.get(host))?.wasQueued ?? false),
  };
}

/**
 * What stands for whoever runs a name's servers: its last two labels. Names below a registry's second level (`co.uk`) share one, which
 * costs them a part of the places, never all.
 */
const domainOf = (host: string): string => host.replace(/\.+$/u, '').split('.').slice(-2).join('.');

const systemResolve: ResolveName = async (host) => {
  const records = await lookup(host, { all: true, order: 'verbatim' });
  return records.map((record) => record.address);
};

/**
 * The fresh answer if it comes within `waitMs`, else the kept one, unless the fresh answer is that there is no such name.
 *
 * @throws what `fresh` was rejected with, if that is `isGone`.
 */
const freshOrKept = async (
  fresh: Promise<readonly string[]>,
  kept: readonly string[],
  waitMs: number,
): Promise<readonly string[]> => {
  const answered = fresh.catch((error: unknown) => {
    if (isGone(error)) throw error;
    return kept;
  });
  if (waitMs > 0) return withFallback(answered, waitMs, () => kept);
  // The answer may come when nobody waits for it any more.
  answered.catch(() => {});
  return kept;
};

/** The answer of its servers that there is no such name, not a failure to get one (`EAI_AGAIN`). */
const isGone = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOTFOUND';
