/**
 * Bugs: names with silent servers occupy the whole lookup capacity, so that other names are late and their targets are blamed; a permit, or a
 * place in the queue, is lost for good.
 * Method: a resolver that the test controls, and a fake clock.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { outboundLimits } from './limits.ts';
import { OutboundError } from './outbound-error.ts';
import { createResolver, type Resolver, type ResolverOptions } from './resolve-name.ts';

const timeoutMs = 1_000;
const atOnceMax = 8;
/** Pending lookups, in order. */
let lookups: { host: string; answer: PromiseWithResolvers<readonly string[]> }[] = [];

const resolverWith = (options: Partial<ResolverOptions> = {}): Resolver =>
  createResolver({
    resolveAll: (host) => {
      const answer = Promise.withResolvers<readonly string[]>();
      lookups.push({ host, answer });
      return answer.promise;
    },
    timeoutMs,
    atOnceMax,
    waitingMax: 16,
    ...options,
  });
const pendingHosts = (): string[] => lookups.map(({ host }) => host);
const answer = async (host: string, addresses: readonly string[] = ['1.1.1.1']): Promise<void> => {
  const index = lookups.findIndex((one) => one.host === host);
  if (index === -1) throw new Error(`${host} was not looked up`);
  lookups.splice(index, 1)[0]?.answer.resolve(addresses);
  await vi.advanceTimersByTimeAsync(0);
};
/** The addresses, or the reason for a failure. */
const outcome = (resolver: Resolver, host: string): Promise<unknown> =>
  resolver
    .resolve(host)
    .catch((error: unknown) => (error instanceof OutboundError ? error.reason : Promise.reject(error)));
const numbered = (count: number, name: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => name(index));
/** Names that have answered, each in a different domain. */
const knownTo = async (resolver: Resolver, hosts: readonly string[]): Promise<void> => {
  for (const host of hosts) {
    const found = outcome(resolver, host);
    await answer(host);
    await found;
  }
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  lookups = [];
});

describe('one name', () => {
  it('requested many times at once is looked up once; requested again, it is looked up again', async () => {
    const resolver = resolverWith();
    const both = [outcome(resolver, 'a.test'), outcome(resolver, 'a.test')];
    expect(pendingHosts()).toEqual(['a.test']);
    await answer('a.test', ['1.1.1.1']);
    expect(await Promise.all(both)).toEqual([['1.1.1.1'], ['1.1.1.1']]);
    const later = outcome(resolver, 'a.test');
    await answer('a.test', ['2.2.2.2']);
    expect(await later).toEqual(['2.2.2.2']);
  });

  it('that is silent holds one permit, however many requests wait', async () => {
    const resolver = resolverWith();
    const late = numbered(50, () => 'silent.test').map((host) => outcome(resolver, host));
    await vi.advanceTimersByTimeAsync(timeoutMs);
    expect(new Set(await Promise.all(late))).toEqual(new Set(['lookup_timeout']));
    expect(pendingHosts()).toEqual(['silent.test']);
    // Later requests join the wait, and no second lookup starts.
    const joined = outcome(resolver, 'silent.test');
    await vi.advanceTimersByTimeAsync(timeoutMs);
    expect(await joined).toBe('lookup_timeout');
    expect(pendingHosts()).toEqual(['silent.test']);
  });

  it('that cannot be resolved fails for all waiting requests, and is looked up again', async () => {
    const resolver = resolverWith();
    const failed = [resolver.resolve('a.test'), resolver.resolve('a.test')].map((one) =>
      one.catch((error: Error) => error.message),
    );
    lookups.pop()?.answer.reject(new Error('ENOTFOUND'));
    expect(await Promise.all(failed)).toEqual(['ENOTFOUND', 'ENOTFOUND']);
    void outcome(resolver, 'a.test');
    expect(pendingHosts()).toEqual(['a.test']);
    await answer('a.test');
  });
});

describe('silent names', () => {
  it('of one domain get a quarter of the permits; known and new names of others continue', async () => {
    const resolver = resolverWith();
    for (const host of numbered(16, (index) => `n${index}.silent.test`)) void outcome(resolver, host);
    expect(lookups).toHaveLength(atOnceMax / 4);
    const other = outcome(resolver, 'a.other.test');
    await answer('a.other.test');
    expect(await other).toEqual(['1.1.1.1']);
    await vi.advanceTimersByTimeAsync(timeoutMs);
  });

  it('of many domains leave half of the permits to names that have answered', async () => {
    const resolver = resolverWith();
    const known = numbered(3, (index) => `known.d${index}.test`);
    await knownTo(resolver, known);
    for (const host of numbered(10, (index) => `x.silent${index}.test`)) void outcome(resolver, host);
    expect(lookups).toHaveLength(atOnceMax / 2);
    for (let round = 0; round < 3; round += 1) {
      const found = known.map((host) => outcome(resolver, host));
      for (const host of known) await answer(host);
      expect(await Promise.all(found)).toEqual(known.map(() => ['1.1.1.1']));
    }
    await vi.advanceTimersByTimeAsync(timeoutMs);
  });

  it('that are slow but answer just in time share the permits, too', async () => {
    const resolver = resolverWith({ timeoutMs: 5_000 });
    const slow = numbered(atOnceMax, (index) => `x.d${index}.test`);
    for (const host of slow) {
      const found = outcome(resolver, host);
      await vi.advanceTimersByTimeAsync(4_900);
      await answer(host);
      expect(await found).toEqual(['1.1.1.1']);
    }
    for (const host of slow) void outcome(resolver, host);
    expect(lookups).toHaveLength(atOnceMax / 2);
    await vi.advanceTimersByTimeAsync(5_000);
  });

  it('that had answered before lose this preference once they are late', async () => {
    const resolver = resolverWith();
    const turned = numbered(atOnceMax, (index) => `x.d${index}.test`);
    await knownTo(resolver, turned);
    const ask = (): void => turned.forEach((host) => void outcome(resolver, host));
    ask();
    expect(lookups).toHaveLength(atOnceMax);
    await vi.advanceTimersByTimeAsync(timeoutMs + 1);
    for (const host of turned) await answer(host);
    ask();
    expect(lookups).toHaveLength(atOnceMax / 2);
    await vi.advanceTimersByTimeAsync(timeoutMs);
  });
});

describe('a name that answered recently', () => {
  const innocent = numbered(6, (index) => `known.d${index}.test`);
  /** Names of a few domains that answered promptly, and then become silent, with all permits in use. */
  const silenceAll = async (resolver: Resolver): Promise<string[]> => {
    const turned = numbered(atOnceMax, (index) => `n${index % 2}.turned${Math.floor(index / 2)}.test`);
    await knownTo(resolver, turned);
    turned.forEach((host) => void outcome(resolver, host));
    expect(pendingHosts()).toEqual(turned);
    return turned;
  };

  it('is resolved at once if names that had also answered hold every permit; these then get at most half', async () => {
    const resolver = resolverWith({ timeoutMs: 5_000 });
    await knownTo(resolver, innocent);
    const turned = await silenceAll(resolver);
    for (let times = 0; times < 3; times += 1) {
      const found = await Promise.all(innocent.map((host) => outcome(resolver, host)));
      expect(found).toEqual(innocent.map(() => ['1.1.1.1']));
      await vi.advanceTimersByTimeAsync(5_000);
    }
    for (let round = 0; round < 5; round += 1) {
      for (const host of pendingHosts()) await answer(host);
      turned.forEach((host) => void outcome(resolver, host));
      expect(lookups).toHaveLength(atOnceMax / 2);
      for (const host of innocent) {
        const renewed = outcome(resolver, host);
        await answer(host, [`2.2.2.${round}`]);
        expect(await renewed).toEqual([`2.2.2.${round}`]);
      }
      await vi.advanceTimersByTimeAsync(20_000);
    }
  });

  it('is resolved even if the queue is full', async () => {
    const resolver = resolverWith({ timeoutMs: 5_000, waitingMax: 4 });
    await knownTo(resolver, innocent);
    await silenceAll(resolver);
    for (const host of numbered(4, (index) => `x.queued${index}.test`)) void outcome(resolver, host);
    expect(await outcome(resolver, 'x.new.test')).toBe('too_many_lookups');
    expect(await outcome(resolver, 'known.d0.test')).toEqual(['1.1.1.1']);
    await vi.advanceTimersByTimeAsync(5_000);
  });

  it('is looked up again from the queue meanwhile, and this lookup ends like every other', async () => {
    const resolver = resolverWith({ timeoutMs: 5_000, waitingMax: 4 });
    await knownTo(resolver, innocent);
    const [first = ''] = await silenceAll(resolver);
    await outcome(resolver, 'known.d0.test');
    await answer(first);
    await answer('known.d0.test', ['2.2.2.2']);
    void outcome(resolver, first);
    expect(await outcome(resolver, 'known.d0.test')).toEqual(['2.2.2.2']);
    for (const host of innocent.slice(1, 5)) await outcome(resolver, host);
    expect(await outcome(resolver, 'x.new.test')).toBe('too_many_lookups');
    await vi.advanceTimersByTimeAsync(5_000);
    const fits = outcome(resolver, 'x.new.test');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await fits).toBe('lookup_queue_timeout');
  });

  it('waits for its own late lookup only as long as a prompt answer may take, whenever a request arrives', async () => {
    const resolver = resolverWith({ timeoutMs: 5_000 });
    await knownTo(resolver, ['a.test']);
    let came = 0;
    const askAgain = (): void => void outcome(resolver, 'a.test').then(() => (came += 1));
    askAgain();
    await vi.advanceTimersByTimeAsync(outboundLimits.promptLookupMs - 1);
    askAgain();
    expect(came).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(came).toBe(2);
    expect(await outcome(resolver, 'a.test')).toEqual(['1.1.1.1']);
    expect(resolver.isQueueDelayed('a.test')).toBe(false);
    // A late answer is kept nevertheless.
    await answer('a.test', ['2.2.2.2']);
    void outcome(resolver, 'a.test');
    await vi.advanceTimersByTimeAsync(outboundLimits.promptLookupMs);
    expect(await outcome(resolver, 'a.test')).toEqual(['2.2.2.2']);
  });

  it.each([
    ['is found where its servers fail', 'EAI_AGAIN', ['1.1.1.1']],
    ['is not found where they say that there is none', 'ENOTFOUND', 'ENOTFOUND'],
  ])('%s', async (_what, code, expected) => {
    const resolver = resolverWith();
    await knownTo(resolver, ['a.test']);
    for (let times = 0; times < 2; times += 1) {
      const found = resolver.resolve('a.test').catch((error: NodeJS.ErrnoException) => error.code);
      lookups.pop()?.answer.reject(Object.assign(new Error(code), { code }));
      expect(await found).toEqual(expected);
    }
  });

  it.each([
    ['a while ago', outboundLimits.answersKeptMs + 1, ['1.1.1.1']],
    ['with too many addresses to keep', 0, numbered(outboundLimits.addressesKeptMax + 1, (index) => `1.1.1.${index}`)],
    ['with none', 0, []],
  ])('is no longer one if it answered %s', async (_what, afterMs, addresses) => {
    const resolver = resolverWith();
    await knownTo(resolver, ['a.test']);
    const last = outcome(resolver, 'a.test');
    await answer('a.test', addresses);
    expect(await last).toEqual(addresses);
    await vi.advanceTimersByTimeAsync(afterMs);
    const silent = outcome(resolver, 'a.test');
    await vi.advanceTimersByTimeAsync(timeoutMs);
    expect(await silent).toBe('lookup_timeout');
  });
});

describe('a request that waits for a permit', () => {
  const fill = (resolver: Resolver): void => {
    for (const host of numbered(atOnceMax / 2, (index) => `x.full${index}.test`)) void outcome(resolver, host);
  };

  it('fails because of the queue, not of the name, even if the lookup has started meanwhile', async () => {
    const resolver = resolverWith();
    fill(resolver);
    const queued = [outcome(resolver, 'a.test'), outcome(resolver, 'a.test')];
    const after = outcome(resolver, 'b.test');
    expect([resolver.isQueueDelayed('a.test'), resolver.isQueueDelayed('x.full0.test')]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(timeoutMs / 2);
    await answer('x.full0.test');
    expect(pendingHosts()).toContain('a.test');
    expect(resolver.isQueueDelayed('a.test')).toBe(true);
    const joined = outcome(resolver, 'a.test');
    await vi.advanceTimersByTimeAsync(timeoutMs / 2);
    expect(await Promise.all([...queued, after])).toEqual(Array(3).fill('lookup_queue_timeout'));
    await vi.advanceTimersByTimeAsync(timeoutMs / 2);
    expect(await joined).toBe('lookup_timeout');
  });

  it('leaves the queue when it is cancelled: the name is never looked up, and its place in the queue is free', async () => {
    const resolver = resolverWith({ waitingMax: 1 });
    fill(resolver);
    const cancelled = outcome(resolver, 'cancelled.test');
    expect(await outcome(resolver, 'b.test')).toBe('too_many_lookups');
    await vi.advanceTimersByTimeAsync(timeoutMs / 2);
    const alsoCancelled = outcome(resolver, 'cancelled.test');
    await vi.advanceTimersByTimeAsync(timeoutMs / 2);
    expect(await cancelled).toBe('lookup_queue_timeout');
    // Another request still waits for it.
    expect(await outcome(resolver, 'b.test')).toBe('too_many_lookups');
    await vi.advanceTimersByTimeAsync(timeoutMs / 2);
    expect([await alsoCancelled, resolver.isQueueDelayed('cancelled.test')]).toEqual(['lookup_queue_timeout', false]);
    const waiting = outcome(resolver, 'b.test');
    await answer('x.full1.test');
    expect(pendingHosts()).not.toContain('cancelled.test');
    await answer('b.test');
    expect(await waiting).toEqual(['1.1.1.1']);
  });

  it('is not refused because of many names of another domain', async () => {
    const resolver = resolverWith({ waitingMax: 16 });
    fill(resolver);
    const many = numbered(16, (index) => `n${index}.many.test`).map((host) => outcome(resolver, host));
    const other = outcome(resolver, 'a.test');
    await vi.advanceTimersByTimeAsync(timeoutMs);
    const reasons = await Promise.all(many);
    expect(reasons.filter((reason) => reason === 'lookup_queue_timeout')).toHaveLength(4);
    expect(reasons.filter((reason) => reason === 'too_many_lookups')).toHaveLength(12);
    expect(await other).toBe('lookup_queue_timeout');
  });
});

it('keeps the limits and loses no permit, in any order of requests, answers and cancellations', async () => {
  const hosts = ['a.one.test', 'b.one.test', 'c.one.test', 'd.two.test', 'e.three.test', 'f.four.test', 'g.five.test'];
  const step = fc.oneof(
    fc.record({ kind: fc.constant('ask' as const), host: fc.constantFrom(...hosts) }),
    fc.record({ kind: fc.constant('answer' as const), at: fc.nat(6), fails: fc.boolean() }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: timeoutMs }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      lookups = [];
      const resolver = resolverWith({ atOnceMax: 4 });
      const outcomes: Promise<unknown>[] = [];
      const settleOne = async (at: number, fails: boolean): Promise<void> => {
        const [one] = lookups.splice(at % Math.max(1, lookups.length), 1);
        if (fails) one?.answer.reject(new OutboundError('unreachable', 'name_not_found'));
        else one?.answer.resolve(['1.1.1.1']);
        await vi.advanceTimersByTimeAsync(0);
      };
      for (const one of steps) {
        if (one.kind === 'ask') outcomes.push(outcome(resolver, one.host));
        else if (one.kind === 'answer') await settleOne(one.at, one.fails);
        else await vi.advanceTimersByTimeAsync(one.ms);
        expect(lookups.length).toBeLessThanOrEqual(4);
        expect(new Set(pendingHosts()).size).toBe(lookups.length);
        expect(lookups.filter(({ host }) => host.endsWith('one.test')).length).toBeLessThanOrEqual(1);
      }
      while (lookups.length > 0) await settleOne(0, false);
      await vi.advanceTimersByTimeAsync(timeoutMs);
      await Promise.all(outcomes);
      // All permits are free again, including those of late lookups.
      await vi.advanceTimersByTimeAsync(outboundLimits.lateDomainMs);
      await knownTo(resolver, hosts);
      const last = hosts.slice(2).map((host) => outcome(resolver, host));
      expect(lookups).toHaveLength(4);
      while (lookups.length > 0) await settleOne(0, false);
      expect(await Promise.all(last)).toEqual(hosts.slice(2).map(() => ['1.1.1.1']));
    }),
    { numRuns: 100 },
  );
});
