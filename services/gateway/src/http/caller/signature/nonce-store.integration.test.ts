import { startNatsServer } from '@agent-trust/embedded-servers';
import { connectJetStream } from '@agent-trust/nats-rpc';
import { createTestBus } from '@agent-trust/test-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { signatureEdgeLimits, createNonceStore, type NonceStore } from './nonce-store.ts';

const codeOf = (error: unknown): unknown => (error as { code: unknown }).code;
const nowSeconds = (): number => Math.floor(Date.now() / 1_000);
/** A little ahead, as clients' clocks may be: the first use makes the bucket, perhaps in the next second. */
const freshSeconds = (): number => nowSeconds() + 1;
/** Polls the outcome of a new nonce of agent-1 each time: a use that was not answered in time may have been recorded. */
const atLast = (store: NonceStore, name: string, createdSeconds: () => number) => {
  let tries = 0;
  return expect.poll(() => store.use('agent-1', `${name} ${(tries += 1)}`, createdSeconds()).catch(codeOf));
};

// Bug: two gateways that first check and then write both find a nonce unused. Method: one nonce, a hundred times at once, over two gateways; then
// others that differ slightly.
it('accepts each nonce of each key once, over all gateways', async () => {
  const nats = createTestBus();
  const links = await Promise.all(
    ['a', 'b'].map((instanceId) => connectJetStream({ natsUrl: nats.url, service: 'gateway', instanceId })),
  );
  const stores = links.map((link) => createNonceStore(link));
  const use = async (index: number, keyId: string, nonce: string): Promise<boolean> =>
    (await stores[index % stores.length]?.use(keyId, nonce, freshSeconds())) === 'new';

  const outcomes = await Promise.all(Array.from({ length: 100 }, (_, index) => use(index, 'agent-1', 'n')));
  expect(outcomes.filter((accepted) => accepted === true)).toHaveLength(1);
  expect(await use(0, 'agent-1', 'N')).toBe(true);
  expect(await use(1, 'agent-2', 'n')).toBe(true);
  // Key and nonce are separated unambiguously, and may contain characters that subjects may not.
  expect(await use(0, 'agent-1n', '')).toBe(true);
  expect(await use(1, '*', '>.\u{1f916} ')).toBe(true);
  expect(await use(0, '*', '>.\u{1f916} ')).toBe(false);

  const manager = await jetstreamManager(links[0]?.connection as never);
  const { config } = await manager.streams.info('KV_nonces');
  // A signature is acceptable from one end of its window to the other.
  expect(config.max_age / 1e6).toBeGreaterThanOrEqual(2 * signatureEdgeLimits.skewSecondsMax * 1_000);
  expect([config.storage, config.discard, config.max_bytes]).toEqual([
    'file',
    'new',
    signatureEdgeLimits.nonceBucketBytesMax,
  ]);
  for (const link of links) await link.close();
});

// Bug: a write to a bucket that is gone fails in other words than a read, so that signatures are refused until something else reads.
// Method: the stream is deleted, and the next write is the first to notice.
it('is created again by the first signature after its bucket has gone', async () => {
  const nats = createTestBus();
  const link = await connectJetStream({ natsUrl: nats.url, service: 'gateway', instanceId: 'a' });
  const store = createNonceStore(link);
  expect(await store.use('agent-1', 'before', freshSeconds())).toBe('new');
  await (await jetstreamManager(link.connection)).streams.delete('KV_nonces');
  expect(await store.use('agent-1', 'after', freshSeconds())).toBe('new');
  expect(await store.use('agent-1', 'after', freshSeconds())).toBe('nonce_reused');
  await link.close();
});

// Bug: one late answer while a gateway starts, and the first use makes the bucket: whoever signed a moment before is refused.
// Method: the first request to make the bucket fails; nothing is signed until it is there all the same.
it('is made before its first use, also if the bus does not answer at once', async () => {
  const nats = createTestBus();
  const link = await connectJetStream({ natsUrl: nats.url, service: 'gateway', instanceId: 'a' });
  const { connection } = link;
  const request = connection.request.bind(connection);
  let failuresLeft = 1;
  vi.spyOn(connection, 'request').mockImplementation((subject, ...rest) => {
    if (!subject.endsWith('.KV_nonces') || failuresLeft === 0) return request(subject, ...rest);
    failuresLeft -= 1;
    return Promise.reject(new Error('no answer'));
  });
  const store = createNonceStore(link);
  const other = await connectJetStream({ natsUrl: nats.url, service: 'gateway', instanceId: 'b' });
  const manager = await jetstreamManager(other.connection);
  const isMade = (): Promise<boolean> =>
    manager.streams.info('KV_nonces').then(
      () => true,
      () => false,
    );
  await expect.poll(isMade).toBe(true);
  expect(failuresLeft).toBe(0);
  expect(await store.use('agent-1', 'n', freshSeconds())).toBe('new');
  for (const one of [link, other]) await one.close();
});

// Bug: a store that forgets or is unreachable permits replays. Method: the server is stopped, then restarted with its disk, and once more without
// it.
it('refuses without its store, and remembers after the store has returned', async () => {
  const storeDir = mkdtempSync(join(tmpdir(), 'nonces-'));
  const nats = await startNatsServer({ storeDir });
  const link = await connectJetStream({ natsUrl: nats.url, service: 'gateway', instanceId: 'a' });
  const store = createNonceStore(link);
  expect(await store.use('agent-1', 'n', freshSeconds())).toBe('new');
  await nats.stop();
  await expect(store.use('agent-1', 'm', freshSeconds())).rejects.toMatchObject({ code: 'unavailable' });

  const again = await startNatsServer({ port: nats.port, storeDir });
  await expect.poll(() => store.use('agent-1', 'n', freshSeconds()).catch(codeOf)).toBe('nonce_reused');
  await again.stop();
  rmSync(storeDir, { recursive: true, force: true });
  const empty = await startNatsServer({ port: nats.port });
  await atLast(store, 'fresh', freshSeconds).toBe('new');
  await link.close();
  await empty.stop();
});

// Bug: a power cut takes nonces that the server had acknowledged, and whoever has recorded signed requests sends them again. Method: the server loses its
// files, all or only the newest; the same signature once more, and one that was made meanwhile.
it.each(['all', 'none'])(
  'vouches for no signature from before a restart, whatever the server lost: %s',
  async (lost) => {
    const storeDir = mkdtempSync(join(tmpdir(), 'nonces-'));
    const nats = await startNatsServer({ storeDir });
    const link = await connectJetStream({ natsUrl: nats.url, service: 'gateway', instanceId: 'a' });
    const store = createNonceStore(link);
    await atLast(store, 'made', freshSeconds).toBe('new');
    const before = nowSeconds();
    expect(await store.use('agent-1', 'recorded', before)).toBe('new');
    expect(await store.use('agent-1', 'older', before - 60)).toBe('nonce_unknown');
    await nats.stop();
    if (lost === 'all') rmSync(join(storeDir, 'jetstream'), { recursive: true });
    await expect.poll(nowSeconds).toBeGreaterThan(before);
    const again = await startNatsServer({ port: nats.port, storeDir });
    await atLast(store, 'unrecorded', () => before).toBe('nonce_unknown');
    expect(await store.use('agent-1', 'recorded', before)).not.toBe('new');
    await atLast(store, 'fresh', freshSeconds).toBe('new');
    await link.close();
    await again.stop();
    rmSync(storeDir, { recursive: true, force: true });
  },
);
