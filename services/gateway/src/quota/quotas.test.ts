/** Bugs: while the counter is away, calls are made without a limit, or reads stop; requests without a limit ask something; what is nobody's is counted. */
import { settleUsage } from '@agent-trust/contracts';
import type { Rpc } from '@agent-trust/nats-rpc';
import { expect, it, onTestFinished } from 'vitest';
import { createQuotas, type Holder } from './quotas.ts';

const acme: Holder = { orgId: 'acme', universe: { kind: 'production' } };
const origin = { id: 'request', headers: {} };

/** @param perDay the limit of each kind; null: nobody answers what it is */
const quotasWith = (perDay: number | null, answer: () => object) => {
  const reports: unknown[] = [];
  const rpc = {
    request: (method: unknown, input: unknown) => {
      if (method !== settleUsage) return Promise.reject(new Error('nobody answers'));
      reports.push(input);
      return Promise.resolve().then(answer);
    },
  } as unknown as Rpc;
  const limits = { callsPerDay: perDay, registrationsPerDay: perDay, readsPerDay: perDay };
  const read = () => (perDay === null ? Promise.reject(new Error('nobody answers')) : Promise.resolve(limits));
  const quotas = createQuotas({ rpc, replica: () => ({ read }) as never, logger: { warn: () => undefined } });
  onTestFinished(() => quotas.stop());
  return { quotas, reports };
};
const away = (): never => {
  throw new Error('nobody answers');
};

it.each([5, null])(
  'refuses calls and registrations, and admits reads, while a limit of %s cannot be checked',
  async (limit) => {
    const { quotas } = quotasWith(limit, away);
    for (const kind of ['calls', 'registrations'] as const)
      await expect(quotas.take(origin, acme, kind)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(quotas.take(origin, acme, 'reads')).resolves.toBeDefined();
  },
);

it('asks nothing for requests without a limit, and for those of nobody', async () => {
  const { quotas, reports } = quotasWith(0, away);
  for (let count = 0; count < 100; count += 1) await quotas.take(origin, acme, 'calls');
  const { quotas: others, reports: ofOthers } = quotasWith(1, away);
  for (let count = 0; count < 100; count += 1) await others.take(origin, null, 'calls');
  await others.report();
  expect([reports, ofOthers]).toEqual([[], []]);
});

it('refuses beyond the limit, with when to come back', async () => {
  const day = new Date().toISOString().slice(0, 10);
  const granted = [{ orgId: 'acme', day, kind: 'calls', limit: 5, taken: 5, granted: 0 }];
  const { quotas, reports } = quotasWith(5, () => ({ granted }));
  for (let count = 0; count < 10; count += 1)
    await expect(quotas.take(origin, acme, 'calls')).rejects.toMatchObject({
      code: 'quota_exceeded',
      fields: { quota: 'calls', limit: 5, used: 5 },
      headers: { 'retry-after': expect.stringMatching(/^\d+$/u) as unknown },
    });
  // It asked once, not for each of them.
  expect(reports).toHaveLength(1);
});
