/** Bug: a silent target is excused because another request waits for a lookup of its name. */
import { afterEach, expect, it, vi } from 'vitest';
import { outboundLimits } from './limits.ts';
import { client, failure, serveRaw } from './testing/loopback.ts';

afterEach(() => void vi.unstubAllEnvs());

it('only a request without a connection blames the queue; one that was sent blames the silent target', async () => {
  // Two concurrent lookups, one of them for an unknown name.
  vi.stubEnv('UV_THREADPOOL_SIZE', '4');
  const sent = Promise.withResolvers<void>();
  const { port } = new URL(await serveRaw(() => sent.resolve()));
  // Too many addresses to keep: each connection needs a lookup.
  const addresses = Array.from({ length: outboundLimits.addressesKeptMax + 1 }, () => '127.0.0.1');
  const fetch = client({
    resolve: (host) => (host === 'agent.test' ? Promise.resolve(addresses) : new Promise(() => {})),
  });
  const agent = `http://agent.test:${port}/`;
  const first = failure(fetch(agent, { timeouts: { totalMs: 500 } }));
  await sent.promise;
  const silent = failure(fetch('http://silent.test/', { timeouts: { totalMs: 1_000 } }));
  const second = failure(fetch(agent, { timeouts: { totalMs: 800 } }));
  expect(await first).toMatchObject({ kind: 'timeout', reason: 'total_timeout' });
  expect(await second).toMatchObject({ kind: 'timeout', reason: 'lookup_queue_timeout' });
  expect(await silent).toMatchObject({ kind: 'timeout', reason: 'total_timeout' });
});
