import { startNatsServer } from '@agent-trust/embedded-servers';
import { connectJetStream } from '@agent-trust/nats-rpc';
import { createTestBus } from '@agent-trust/test-kit';
import { expect, it } from 'vitest';
import { createRateLimiter } from './rate-limiter.ts';
import { createRegistrationLimiter } from './registration-limiter.ts';

const codeOf = (error: unknown): unknown => (error as { code: unknown }).code;
const outcomeOf = (taking: Promise<void>): Promise<unknown> => taking.then(() => 'admitted', codeOf);
const admittedOf = (outcomes: readonly unknown[]): number =>
  outcomes.filter((outcome) => outcome === 'admitted').length;

// Bug: many at once from one address race each other for the count, and are refused as overloaded instead of by the limit.
it('admits as many of an address as the limit says at all gateways, also at once, and no more', async () => {
  const { url: natsUrl } = createTestBus();
  let now = 1_000_000;
  const links = await Promise.all(
    ['a', 'b'].map((instanceId) => connectJetStream({ natsUrl, service: 'gateway', instanceId })),
  );
  const limiters = links.map((link) => createRegistrationLimiter(link, 60, () => now));
  const take = (index: number, address = 'x') => outcomeOf(limiters[index % 2]!.take(address));
  const outcomes = await Promise.all(Array.from({ length: 150 }, (_, index) => take(index)));
  expect(admittedOf(outcomes)).toBe(60);
  expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(90);
  await expect(limiters[0]!.take('x')).rejects.toMatchObject({
    headers: { 'retry-after': expect.stringMatching(/^[0-9]+$/u) as unknown },
  });
  expect(await take(1, 'another address')).toBe('admitted');
  now += 60_001;
  expect(await Promise.all([take(0), take(1)])).toEqual(['admitted', 'admitted']);
  for (const link of links) await link.close();
});

// Bug: while JetStream is down nobody can register; or everybody can, without any limit; or the limit of /rotate opens too.
it('counts at each gateway while JetStream does not answer; other limits stay closed', async () => {
  const nats = await startNatsServer();
  const link = await connectJetStream({ natsUrl: nats.url, service: 'gateway', instanceId: 'a' });
  const limiter = createRegistrationLimiter(link, 5);
  const closed = createRateLimiter(link, { countMax: 5, windowMs: 60_000 });
  await nats.stop();
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(limiter.take('x'))));
  expect([admittedOf(outcomes), outcomes.filter((outcome) => outcome === 'rate_limited').length]).toEqual([5, 3]);
  expect(await outcomeOf(closed.take('x'))).toBe('unavailable');
  await link.close();
});

it('has no limit at 0', async () => {
  const link = await connectJetStream({ natsUrl: createTestBus().url, service: 'gateway', instanceId: 'a' });
  const limiter = createRegistrationLimiter(link, 0);
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => outcomeOf(limiter.take('x'))));
  expect(admittedOf(outcomes)).toBe(200);
  await link.close();
});
