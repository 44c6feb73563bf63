import { startNatsServer } from '@agent-trust/embedded-servers';
import { connectRpc } from '@agent-trust/nats-rpc';
import { createTestBus } from '@agent-trust/test-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signatureEdgeLimits, createNonceStore } from './nonce-store.ts';

const codeOf = (error: unknown): unknown => (error as { code: unknown }).code;

// Bug: two gateways that first check and then write both find a nonce unused. Method: one nonce, a hundred times at once, over two gateways; then
// others that differ slightly.
it('accepts each nonce of each key once, over all gateways', async () => {
  const nats = createTestBus();
  const rpcs = await Promise.all(
    ['a', 'b'].map((instanceId) => connectRpc({ natsUrl: nats.url, service: 'gateway', instanceId })),
  );
  const stores = rpcs.map((rpc) => createNonceStore(rpc.connection));
  const use = async (index: number, keyId: string, nonce: string): Promise<boolean | undefined> =>
    stores[index % stores.length]?.use(keyId, nonce);

  const outcomes = await Promise.all(Array.from({ length: 100 }, (_, index) => use(index, 'agent-1', 'n')));
  expect(outcomes.filter((accepted) => accepted === true)).toHaveLength(1);
  expect(await use(0, 'agent-1', 'N')).toBe(true);
  expect(await use(1, 'agent-2', 'n')).toBe(true);
  // Key and nonce are separated unambiguously, and may contain characters that subjects may not.
  expect(await use(0, 'agent-1n', '')).toBe(true);
  expect(await use(1, '*', '>.\u{1f916} ')).toBe(true);
  expect(await use(0, '*', '>.\u{1f916} ')).toBe(false);

  const manager = await jetstreamManager(rpcs[0]?.connection as never);
  const { config } = await manager.streams.info('KV_nonces');
  // A signature is acceptable from one end of its window to the other.
  expect(config.max_age / 1e6).toBeGreaterThanOrEqual(2 * signatureEdgeLimits.skewSecondsMax * 1_000);
  expect([config.storage, config.discard, config.max_bytes]).toEqual([
    'file',
    'new',
    signatureEdgeLimits.nonceBucketBytesMax,
  ]);
  for (const rpc of rpcs) await rpc.close();
});

// Bug: a write to a bucket that is gone fails in other words than a read, so that signatures are refused until something else reads.
// Method: the stream is deleted, and the next write is the first to notice.
it('is created again by the first signature after its bucket has gone', async () => {
  const nats = createTestBus();
  const rpc = await connectRpc({ natsUrl: nats.url, service: 'gateway', instanceId: 'a' });
  const store = createNonceStore(rpc.connection);
  expect(await store.use('agent-1', 'before')).toBe(true);
  await (await jetstreamManager(rpc.connection)).streams.delete('KV_nonces');
  expect(await store.use('agent-1', 'after')).toBe(true);
  expect(await store.use('agent-1', 'after')).toBe(false);
  await rpc.close();
});

// Bug: a store that forgets or is unreachable permits replays. Method: the server is stopped, then restarted with its disk, and once more without
// it.
it('refuses without its store, and remembers after the store has returned', async () => {
  const storeDir = mkdtempSync(join(tmpdir(), 'nonces-'));
  const nats = await startNatsServer({ storeDir });
  const rpc = await connectRpc({ natsUrl: nats.url, service: 'gateway', instanceId: 'a' });
  const store = createNonceStore(rpc.connection);
  expect(await store.use('agent-1', 'n')).toBe(true);
  await nats.stop();
  await expect(store.use('agent-1', 'm')).rejects.toMatchObject({ code: 'unavailable' });

  const again = await startNatsServer({ port: nats.port, storeDir });
  await expect.poll(() => store.use('agent-1', 'n').catch(codeOf), { timeout: 15_000 }).toBe(false);
  await again.stop();
  rmSync(storeDir, { recursive: true, force: true });
  const empty = await startNatsServer({ port: nats.port });
  await expect.poll(() => store.use('agent-1', 'fresh').catch(codeOf), { timeout: 15_000 }).toBe(true);
  await rpc.close();
  await empty.stop();
});
