import { type JetStreamLink, connectJetStream } from '@agent-trust/nats-rpc';
import { createTestBus } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mcpLimits } from '../limits.ts';
import type { McpCaller } from '../mcp-caller.ts';
import { deriveMcpKeys } from '../sealing.ts';
import { openSetKey, sealSetKey } from './session-record.ts';
import { type SessionStore, createSessionStore } from './session-store.ts';

let link: JetStreamLink;
let now = Date.now();
let store: SessionStore;
const keys = deriveMcpKeys(['a secret of the tests']);
beforeAll(async () => {
  link = await connectJetStream({ natsUrl: createTestBus().url, service: 'gateway', instanceId: 'test' });
  store = createSessionStore(link, keys, () => now);
});
afterAll(async () => {
  await link.close();
});

const caller = (headers: Record<string, string> = {}, client = '192.0.2.1'): McpCaller => ({
  requestId: 'r',
  remoteAddress: client,
  client,
  headers,
});

describe('a session', () => {
  it('is found until it ends', async () => {
    const id = await store.open('192.0.2.1', null);
    expect(await store.find(id)).toMatchObject({ heldBy: null, setKey: null });
    await store.end(id);
    expect(await store.find(id)).toBeNull();
    await store.end(id);
  });

  it('is found by its complete id only', async () => {
    const id = await store.open('192.0.2.1', null);
    const last = id.endsWith('A') ? 'E' : 'A';
    for (const other of ['', 'x', id.slice(1), `${id}A`, `${id.slice(0, -1)}${last}`, id.toLowerCase()]) {
      expect(await store.find(other)).toBeNull();
    }
  });

  it('lives while it is used, and expires when it is not', async () => {
    const id = await store.open('192.0.2.2', null);
    for (let step = 0; step < 4; step += 1) {
      now += mcpLimits.sessionIdleMs - 1;
      expect(await store.find(id)).not.toBeNull();
    }
    now += mcpLimits.sessionIdleMs;
    expect(await store.find(id)).toBeNull();
    expect(await store.setKey(id, 'sealed')).toBe(false);
  });

  it('is valid at another gateway, but not at one with another secret', async () => {
    const id = await store.open('192.0.2.3', 'gateway-1');
    const other = createSessionStore(link, deriveMcpKeys(['a secret of the tests']), () => now);
    expect(await other.find(id)).toMatchObject({ heldBy: 'gateway-1' });
    const outsider = createSessionStore(link, deriveMcpKeys(['another secret']), () => now);
    expect(await outsider.find(id)).toBeNull();
  });

  it('is valid while REGISTRY_SECRET is replaced, whichever value a gateway makes new ones with, and not after', async () => {
    const at = (...secrets: [string, ...string[]]) => createSessionStore(link, deriveMcpKeys(secrets), () => now);
    const old = await store.open('192.0.2.5', null);
    const both = at('the next secret', 'a secret of the tests');
    expect(await both.find(old)).not.toBeNull();
    const fresh = await both.open('192.0.2.5', null);
    expect(await at('a secret of the tests', 'the next secret').find(fresh)).not.toBeNull();
    expect([await at('the next secret').find(fresh), await at('the next secret').find(old)]).toEqual([
      expect.objectContaining({ heldBy: null }),
      null,
    ]);
    const [before, during, after] = [['old'], ['new', 'old'], ['new']].map((secrets) =>
      deriveMcpKeys(secrets as [string]),
    );
    const sealed = sealSetKey(before!, old, caller(), 'the key');
    const record = { idHash: '', openedAt: 0, seenAt: 0, heldBy: null, setKey: sealed };
    expect(openSetKey(during!, old, caller(), record)).toBe('the key');
    expect(openSetKey(after!, old, caller(), record)).toBeNull();
  });

  it("counts against its address's limit, and replaces an idle one before the limit refuses it", async () => {
    const places = new Set<string>();
    const open = async () => places.add((await store.open('192.0.2.4', null)).slice(0, 13));
    // The first 13 characters contain the address and most of the slot.
    await Promise.all(Array.from({ length: 64 }, open));
    expect(places.size).toBeGreaterThan(1);
    now += mcpLimits.sessionYieldsMs;
    expect(await store.open('192.0.2.4', null)).toMatch(/^[\w-]{56}$/u);
  });
});

describe('a set key', () => {
  const id = 'a session';
  const header = { authorization: 'Bearer a', 'x-api-key': 'b' };
  const record = (setKey: string) => ({ idHash: '', openedAt: 0, seenAt: 0, heldBy: null, setKey });

  it('is valid for the session and the headers that it was set under', () => {
    const sealed = sealSetKey(keys, id, caller(header), 'the key');
    expect(openSetKey(keys, id, caller(header, '198.51.100.9'), record(sealed))).toBe('the key');
    expect(sealed).not.toContain(Buffer.from('the key').toString('base64').slice(0, 8));
  });

  it.each([
    ['another session', 'another session', header],
    ['another bearer', id, { ...header, authorization: 'Bearer c' }],
    ['another org key', id, { ...header, 'x-api-key': 'c' }],
    ['no org key', id, { authorization: 'Bearer a' }],
    ['no headers', id, {}],
    ['credentials in each other’s place', id, { authorization: 'b', 'x-api-key': 'Bearer a' }],
  ])('is not valid for %s', (_what, session, headers) => {
    const sealed = sealSetKey(keys, id, caller(header), 'the key');
    expect(openSetKey(keys, session, caller(headers), record(sealed))).toBeNull();
  });

  it('without headers is bound to the address', () => {
    const sealed = sealSetKey(keys, id, caller(), 'the key');
    expect(openSetKey(keys, id, caller(), record(sealed))).toBe('the key');
    expect(openSetKey(keys, id, caller({}, '192.0.2.99'), record(sealed))).toBeNull();
  });
});
