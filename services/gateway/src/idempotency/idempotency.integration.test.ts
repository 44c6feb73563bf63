import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNatsServer } from '@agent-trust/embedded-servers';
import { connectJetStream, type JetStreamLink } from '@agent-trust/nats-rpc';
import { createTestBus, type TestBus } from '@agent-trust/test-kit';
import type { LogState, LogWatch } from '@agent-trust/log-state';
import { createLogger } from '@agent-trust/service-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../credentials/keys.ts';
import { createBudget, createIdempotency, type Held, type Idempotency, type KeyedRequest } from './idempotency.ts';
import { deriveKeys } from './entry.ts';
import { leaseMsOf, idempotencyLimits } from './limits.ts';

let nats: TestBus;
let links: JetStreamLink[];
let gateways: Idempotency[];
/** Refuses soon a request that another carries out; the others wait as long as a gateway does. */
let impatient: Idempotency;
const leaseMs = leaseMsOf(5_000);
// The middle of a day, because keys depend on the date and no test may cross its end.
const clock = { now: (Math.floor(Date.now() / idempotencyLimits.lifetimeMs) + 0.5) * idempotencyLimits.lifetimeMs };
const lines: string[] = [];
const logger = createLogger({
  service: 'gateway',
  instanceId: 'test',
  level: 'info',
  destination: { write: (line) => void lines.push(line) },
});
const secret = 'a secret of at least 16 characters';
/** How often another log was accepted, as trust-projection says it, or null if it says nothing. */
const knownState = (accepted: () => number | null): Pick<LogWatch, 'state' | 'whenKnown'> => {
  const state = (): LogState | null => {
    const count = accepted();
    return count === null ? null : { accepted: count, fault: null };
  };
  return { state, whenKnown: async () => state() };
};
const gatewayOn = (
  link: JetStreamLink,
  waitMs: number = idempotencyLimits.waitMs,
  logState = knownState(() => 0),
): Idempotency => createIdempotency(link, [secret], logger, { leaseMs, logState, now: () => clock.now, waitMs });

beforeAll(async () => {
  nats = createTestBus();
  links = await Promise.all(
    ['a', 'b', 'c'].map((instanceId) => connectJetStream({ natsUrl: nats.url, service: 'gateway', instanceId })),
  );
  gateways = links.map((link) => gatewayOn(link));
  impatient = gatewayOn(links[1]!, 300);
});
afterAll(async () => {
  for (const link of links) await link.close();
});

const scope = { isUnaffiliated: false, orgId: null, parts: ['agent', 'a'] };
const requestOf = (over: Partial<KeyedRequest> = {}): KeyedRequest => ({
  operation: '/register',
  key: randomUUID(),
  scope,
  bodyHash: 'h1',
  ...over,
});
const held = async (request: KeyedRequest, gateway = gateways[0]!): Promise<Held> => {
  const taken = await gateway.take(request);
  if (taken.kind !== 'held') throw new Error(`expected to run, but ${taken.kind}`);
  return taken;
};
const codeOf = (taking: Promise<unknown>): Promise<unknown> => taking.catch((error: { code: unknown }) => error.code);

// Bug: REGISTRY_SECRET is replaced, and a request that was answered is carried out again, or twice at two gateways that have other values.
describe('while the secret is replaced', () => {
  const fresh = 'the secret that comes after it';
  const at = (link: JetStreamLink, ...secrets: [string, ...string[]]): Idempotency =>
    createIdempotency(link, secrets, logger, {
      leaseMs,
      logState: knownState(() => 0),
      now: () => clock.now,
      waitMs: 300,
    });

  it('an answer that was kept under the previous value is found, and under neither value it is not', async () => {
    const request = requestOf();
    const first = await held(request);
    await first.answered(201, { id: 'made once' });
    const during = at(links[1]!, fresh, secret);
    expect(await during.take(request)).toMatchObject({ kind: 'replay', answer: { body: { id: 'made once' } } });
    expect(await codeOf(during.take({ ...request, bodyHash: 'h2' }))).toBe('idempotency_key_reused');
    expect((await at(links[1]!, fresh).take(request)).kind).toBe('held');
  });

  it('a request that was interrupted goes on with the same command and the same claim token', async () => {
    const request = requestOf();
    const first = await held(request);
    await first.interrupted();
    const again = await held(request, at(links[1]!, fresh, secret));
    expect(again.once.commandId).toBe(first.once.commandId);
    expect(again.once.claimTokenFor('a')).toBe(first.once.claimTokenFor('a'));
    await again.answered(200, 'done');
    expect(await gateways[2]!.take(requestOf({ key: request.key })).catch(() => 'sealed with the new value')).toBe(
      'sealed with the new value',
    );
    expect(await at(links[2]!, secret, fresh).take(request)).toMatchObject({
      kind: 'replay',
      answer: { body: 'done' },
    });
  });

  it('a new request is kept under the new value, which every gateway finds', async () => {
    const request = requestOf();
    await (await held(request, at(links[1]!, fresh, secret))).answered(200, 'new');
    for (const gateway of [at(links[0]!, fresh), at(links[2]!, secret, fresh)])
      expect(await gateway.take(request)).toMatchObject({ kind: 'replay', answer: { body: 'new' } });
  });

  it('gateways that have the two values the other way round carry a request out once', async () => {
    const both = [at(links[0]!, fresh, secret), at(links[1]!, secret, fresh)];
    let carriedOut = 0;
    for (let round = 0; round < 40; round += 1) {
      const request = requestOf();
      const outcomes = await Promise.all(
        [...both, ...both].map((gateway) => gateway.take(request).catch((error: { code: unknown }) => error.code)),
      );
      const runs = outcomes.filter((outcome): outcome is Held => (outcome as Held).kind === 'held');
      expect(runs.length).toBeLessThanOrEqual(1);
      expect(outcomes.filter((outcome) => outcome === 'idempotency_key_in_use')).toHaveLength(4 - runs.length);
      await runs[0]?.answered(200, 'once');
      carriedOut += runs.length;
    }
    expect(carriedOut).toBeGreaterThan(30);
  });
});

describe('a request under a key', () => {
  // Bug: a power cut takes the entry, and a repetition is refused because of the effects of its own first command, or has them again.
  it('has the same command if its entry was lost, and names it for a day more', async () => {
    const startedAt = clock.now;
    const lose = async (taken: Held): Promise<string | null> => {
      await taken.withdrawn();
      return taken.once.commandId;
    };
    const request = requestOf();
    const first = await lose(await held(request));
    expect(await lose(await held(request, gateways[1]))).toBe(first);
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/u);
    const others = [
      { ...request, bodyHash: 'h2' },
      { ...request, key: `${request.key}x` },
      { ...request, operation: '/update' },
    ];
    for (const other of others) expect(await lose(await held(other))).not.toBe(first);
    clock.now += idempotencyLimits.lifetimeMs;
    const nextDay = await held(request);
    expect(nextDay.once.commandId).not.toBe(first);
    expect(nextDay.once.earlierCommandId).toBe(first);
    await nextDay.withdrawn();
    clock.now += idempotencyLimits.lifetimeMs;
    const { commandId, earlierCommandId } = (await held(request)).once;
    expect([commandId, earlierCommandId]).not.toContain(first);
    clock.now = startedAt;
  });

  it('that may take longer has a longer lease', async () => {
    const startedAt = clock.now;
    const request = requestOf({ extraLeaseMs: 60_000 });
    await held(request);
    clock.now += leaseMs + 59_000;
    expect(await codeOf(impatient.take(request))).toBe('idempotency_key_in_use');
    clock.now += 2_000;
    expect((await held(request, gateways[1])).kind).toBe('held');
    clock.now = startedAt;
  });

  it('runs once, and every gateway repeats its answer, for the same key and body only', async () => {
    const request = requestOf();
    await (await held(request)).answered(201, { claim_link: 'https://x/rotate?token=t', list: [1, null] });
    for (const gateway of gateways) {
      expect(await gateway.take(request)).toEqual({
        kind: 'replay',
        answer: { kind: 'answered', status: 201, body: { claim_link: 'https://x/rotate?token=t', list: [1, null] } },
      });
    }
    expect(await codeOf(gateways[1]!.take({ ...request, bodyHash: 'h2' }))).toBe('idempotency_key_reused');
    const others = [
      { ...request, key: `${request.key}x` },
      { ...request, operation: '/update' },
      { ...request, scope: { isUnaffiliated: false, orgId: null, parts: ['agent', 'b'] } },
      { ...request, scope: { isUnaffiliated: true, orgId: null, parts: ['agent', 'a'] } },
    ];
    for (const other of others) expect((await gateways[2]!.take(other)).kind).toBe('held');
  });

  it('waits for the gateway that runs it, and gets a retryable refusal if that takes long', async () => {
    const request = requestOf();
    const first = await held(request);
    await expect(impatient.take(request)).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
      headers: { 'retry-after': '1' },
    });
    const waiting = gateways[2]!.take(request);
    await first.answered(200, 'done');
    expect(await waiting).toMatchObject({ kind: 'replay', answer: { body: 'done' } });
  });

  it('that wrote nothing leaves no trace: the key is free for another body', async () => {
    const request = requestOf();
    const first = await held(request);
    await first.withdrawn();
    const again = await held({ ...request, bodyHash: 'h2' }, gateways[1]);
    expect(again.once.commandId).not.toBe(first.once.commandId);
  });

  it('that failed runs again, at once and with the same command; another body is refused', async () => {
    const request = requestOf();
    const first = await held(request);
    await first.interrupted();
    expect(await codeOf(gateways[1]!.take({ ...request, bodyHash: 'h2' }))).toBe('idempotency_key_reused');
    const again = await held(request, gateways[1]);
    expect(again.once.commandId).toBe(first.once.commandId);
    expect(again.once.claimTokenFor('a')).toBe(first.once.claimTokenFor('a'));
  });

  // Bug: a gateway dies while it runs a request, and the request never gets an answer. Method: one request that never ends, and a fake clock.
  it('whose gateway died is taken over when its lease ends, with the choices of the first run', async () => {
    const request = requestOf();
    const first = await held(request);
    expect(await first.once.remember(async () => 'the first choice')).toBe('the first choice');
    expect(await codeOf(impatient.take(request))).toBe('idempotency_key_in_use');
    clock.now += leaseMs;
    const again = await held(request, gateways[1]);
    expect(again.once.commandId).toBe(first.once.commandId);
    expect(await again.once.remember(async () => 'another choice')).toBe('the first choice');
    // The first gateway was not dead after all: its outcome does not replace the other's.
    await first.answered(500, 'late');
    await again.answered(200, 'in time');
    expect(await gateways[2]!.take(request)).toMatchObject({ kind: 'replay', answer: { body: 'in time' } });
  });

  it('that was taken over cannot make choices any more', async () => {
    const request = requestOf();
    const first = await held(request);
    clock.now += leaseMs;
    const again = await held(request, gateways[1]);
    expect(await codeOf(first.once.remember(async () => 'late'))).toBe('idempotency_key_in_use');
    expect(await again.once.remember(async () => 'in time')).toBe('in time');
  });

  it('stores nothing if it has nothing to choose', async () => {
    const request = requestOf();
    const first = await held(request);
    expect(await first.once.remember(async () => null)).toBeNull();
    expect(await first.once.remember(async () => 'now there is')).toBe('now there is');
  });

  // Bug: separate read and create operations let two gateways run the same request. Method: sixty at once, one of which may run.
  it('sixty at once over three gateways: one runs, the others get its answer', async () => {
    const request = requestOf();
    let runs = 0;
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const taken = await gateways[index % 3]!.take(request);
        if (taken.kind === 'replay') return taken.answer.body;
        runs += 1;
        await taken.answered(200, 'once');
        return 'once';
      }),
    );
    expect(runs).toBe(1);
    expect(new Set(answers)).toEqual(new Set(['once']));
  });

  it('with an answer too long to keep runs again, without waiting', async () => {
    const request = requestOf();
    const first = await held(request);
    await first.answered(200, 'x'.repeat(idempotencyLimits.entryBytesMax));
    expect((await held(request)).once.commandId).toBe(first.once.commandId);
  });
});

describe('a kept answer', () => {
  it('is sealed, under meaningless names, for 24 hours, on disk, in a bucket of limited size', async () => {
    const request = requestOf({ key: 'a key that tells something', bodyHash: 'the hash of a body' });
    await (await held(request)).answered(201, { claim_link: 'a secret link' });
    const manager = await jetstreamManager(links[0]!.connection);
    const bytesMax = {
      KV_idempotency: idempotencyLimits.bucketBytesMax,
      KV_idempotency_anonymous: idempotencyLimits.unaffiliatedBucketBytesMax,
    };
    for (const [name, max_bytes] of Object.entries(bytesMax)) {
      const { config } = await manager.streams.info(name);
      const dayInNs = 24 * 3_600 * 1e9;
      expect(config).toMatchObject({ storage: 'file', max_age: dayInNs, max_bytes, discard: 'new' });
    }
    const bucket = await new Kvm(links[0]!.connection).open('idempotency');
    const texts: string[] = [];
    for await (const key of await bucket.keys()) {
      texts.push(key, Buffer.from((await bucket.get(key))?.value ?? []).toString('latin1'));
      expect(key).toMatch(/^[0-9a-f]{64}$/u);
    }
    const all = texts.join('\n');
    for (const word of ['secret link', 'claim', 'tells', 'hash of', 'register', 'commandId'])
      expect(all).not.toContain(word);
  });

  it('of an anonymous caller is in a separate bucket', async () => {
    const manager = await jetstreamManager(links[0]!.connection);
    const count = async (name: string) => (await manager.streams.info(name)).state.messages;
    const before = await count('KV_idempotency');
    const outsiders = await count('KV_idempotency_anonymous');
    await held(requestOf({ scope: { isUnaffiliated: true, orgId: null, parts: ['agent_id', 'a'] } }));
    expect([await count('KV_idempotency'), await count('KV_idempotency_anonymous')]).toEqual([before, outsiders + 1]);
  });
});

// Bug: one credential fills the bucket with its keys, and everybody else's are refused for 24 hours.
describe("an organisation's budget", () => {
  const { budgetParts, budgetPartMax, lifetimeMs } = idempotencyLimits;
  const ofOrg = (orgId: string): KeyedRequest =>
    requestOf({ scope: { isUnaffiliated: false, orgId, parts: ['o', orgId] } });

  it('is a share of the bucket', () => {
    const { entryBytesMax, bucketBytesMax } = idempotencyLimits;
    expect(budgetParts * budgetPartMax * entryBytesMax).toBeLessThanOrEqual(bucketBytesMax / 4);
  });

  it('ends in 429, does not affect others, and recovers; repeated requests cost nothing and still get their answer', async () => {
    const first = ofOrg('busy');
    await (await held(first)).answered(200, 'kept');
    const refused = ofOrg('busy');
    const { operation, key, scope: busy } = refused;
    const name = deriveKeys(secret).nameOf([operation, key, ...busy.parts]);
    const budget = createBudget(links[0]!, () => clock.now);
    // The first key may belong to the same part.
    let isFull = false;
    for (let count = 0; count <= budgetPartMax && !isFull; count += 1)
      isFull = await budget.take('busy', name).then(
        () => false,
        () => true,
      );
    expect(isFull).toBe(true);
    await expect(gateways[1]!.take(refused)).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': expect.stringMatching(/^[0-9]+$/u) as unknown },
    });
    expect((await gateways[2]!.take(first)).kind).toBe('replay');
    expect((await gateways[2]!.take(ofOrg('calm'))).kind).toBe('held');
    clock.now += lifetimeMs + 1;
    expect((await gateways[1]!.take({ ...refused, bodyHash: 'h2' })).kind).toBe('held');
  });

  it('counts a key once, however many requests use it at once', async () => {
    const request = ofOrg('at once');
    const kinds = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const taken = await gateways[index % 3]!.take(request);
        if (taken.kind === 'held') await taken.answered(200, 'once');
        return taken.kind;
      }),
    );
    expect(kinds.filter((kind) => kind === 'held')).toHaveLength(1);
    const budgets = await new Kvm(links[0]!.connection).open('idempotency_budgets');
    const counts: number[] = [];
    for (let part = 0; part < budgetParts; part += 1) {
      const entry = await budgets.get(sha256Hex(`keys of at once, part ${part}`));
      counts.push(entry === null ? 0 : entry.json<number[]>().length);
    }
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
  });
});

// Bug: after another log was accepted, an answer is given of which the log knows nothing; or a key counts as new before that is known.
it('an answer is of the log that was accepted then, and before that is known no request with a key runs', async () => {
  let accepted: number | null = null;
  const gateway = gatewayOn(
    links[0]!,
    300,
    knownState(() => accepted),
  );
  const request = requestOf();
  expect(await codeOf(gateway.take(request))).toBe('unavailable');
  accepted = 0;
  await (await held(request, gateway)).answered(200, 'of the first log');
  accepted = 1;
  expect((await gateway.take(request)).kind).toBe('held');
  accepted = 0;
  expect(await gateway.take(request)).toMatchObject({ kind: 'replay', answer: { body: 'of the first log' } });
});

// Bug: a gateway that starts while trust-projection is silent keeps any number of requests, and their bodies, for seconds.
it('at most 256 requests wait until the log is known, and the others are refused at once', async () => {
  let known = false;
  const { promise, resolve } = Promise.withResolvers<LogState>();
  const sound = { accepted: 0, fault: null };
  const gateway = gatewayOn(links[0]!, 300, { state: () => (known ? sound : null), whenKnown: () => promise });
  const requests = Array.from({ length: idempotencyLimits.waitersMax }, () => gateway.take(requestOf()));
  expect(await codeOf(gateway.take(requestOf()))).toBe('unavailable');
  known = true;
  resolve(sound);
  expect((await Promise.all(requests)).every(({ kind }) => kind === 'held')).toBe(true);
});

// Bug: a key that cannot be looked up is treated as unused. Method: the server is stopped, then restarted with its files.
it('without its store no request with a key runs; with it again the answers are still there', async () => {
  const storeDir = mkdtempSync(join(tmpdir(), 'idempotency-'));
  const server = await startNatsServer({ storeDir });
  const link = await connectJetStream({ natsUrl: server.url, service: 'gateway', instanceId: 'd' });
  const gateway = gatewayOn(link);
  const request = requestOf();
  await (await held(request, gateway)).answered(200, 'kept');
  await server.stop();
  expect(await codeOf(gateway.take(request))).toBe('unavailable');
  expect(await codeOf(gateway.take(requestOf()))).toBe('unavailable');
  const again = await startNatsServer({ storeDir, port: server.port });
  await expect
    .poll(() => gateway.take(request).catch(() => null))
    .toMatchObject({ kind: 'replay', answer: { body: 'kept' } });
  // If its disk is lost, so are the answers, but the service continues.
  await again.stop();
  const anew = await startNatsServer({ port: server.port });
  await expect.poll(() => gateway.take(request).catch(() => null)).toMatchObject({ kind: 'held' });
  await link.close();
  await anew.stop();
  rmSync(storeDir, { recursive: true, force: true });
});
