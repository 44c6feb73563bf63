import { startNatsServer } from '@agent-trust/embedded-servers';
import { connectJetStream } from '@agent-trust/nats-rpc';
import { createTestBus } from '@agent-trust/test-kit';
import { expect, it, vi } from 'vitest';
import { type RateLimiter, createRateLimiter } from './rate-limiter.ts';

const window = { countMax: 5, windowMs: 60_000 };
const codeOf = (error: unknown): unknown => (error as { code: unknown }).code;

it('applies across instances, recovers with time, and says when to retry', async () => {
  const nats = createTestBus();
  let now = 1_000_000;
  const links = await Promise.all(
    ['a', 'b'].map((instanceId) => connectJetStream({ natsUrl: nats.url, service: 'gateway', instanceId })),
  );
  const [first, second] = links.map((link) => createRateLimiter(link, window, () => now)) as [RateLimiter, RateLimiter];

  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      (index % 2 === 0 ? first : second).take('address x').then(() => 'admitted', codeOf),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(5);
  expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(25);
  await first.take('address y');

  now += 60_000;
  await expect(second.take('address x')).rejects.toMatchObject({
    code: 'rate_limited',
    headers: { 'retry-after': '1' },
  });
  now += 1;
  await second.take('address x');
  for (const link of links) await link.close();
});

// Bug: one lost answer of the store refuses a request. Method: one request to the store fails, a read or a write; then all do.
it.each(['read', 'write'])('goes on after one failed %s of its store, not after more', async (failing) => {
  const nats = createTestBus();
  const link = await connectJetStream({ natsUrl: nats.url, service: 'gateway', instanceId: 'a' });
  const limiter = createRateLimiter(link, window);
  await limiter.take('address x');
  const { connection } = link;
  const request = connection.request.bind(connection);
  let failuresLeft = 1;
  const failed = vi.spyOn(connection, 'request').mockImplementation((subject, ...rest) => {
    const isWrite = subject.startsWith('$KV.');
    if (isWrite !== (failing === 'write') || failuresLeft === 0) return request(subject, ...rest);
    failuresLeft -= 1;
    return Promise.reject(new Error('no answer'));
  });
  await limiter.take('address x');
  expect(failuresLeft).toBe(0);
  failuresLeft = Number.POSITIVE_INFINITY;
  await expect(limiter.take('address x')).rejects.toMatchObject({ code: 'unavailable' });
  failed.mockRestore();
  await limiter.take('address x');
  await link.close();
});

// Bug: a limit that opens if its store is down is useless. Method: the NATS server is stopped, then restarted without its memory.
it('refuses without its store, and continues when the store is back', async () => {
  const nats = await startNatsServer();
  const link = await connectJetStream({ natsUrl: nats.url, service: 'gateway', instanceId: 'a' });
  const limiter = createRateLimiter(link, window);
  await limiter.take('address x');
  await nats.stop();
  await expect(limiter.take('address x')).rejects.toMatchObject({ code: 'unavailable' });

  const again = await startNatsServer({ port: nats.port });
  await expect.poll(() => limiter.take('address x').then(() => 'admitted', codeOf)).toBe('admitted');
  await link.close();
  await again.stop();
});
