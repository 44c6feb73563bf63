/**
 * Bugs: gateways that report at the same time lease more than the limit together; a report that is sent again counts twice, or gets another lease; a limit that
 * was set does not hold, or that of another organisation does; counts are kept for ever.
 * Method: the real service on a real database; many reporters send reports at once.
 */
import { randomUUID } from 'node:crypto';
import { getOrganisationLimits, listUsage, settleUsage, type UsageGrant, type UsageItem } from '@agent-trust/contracts';
import { createLogger } from '@agent-trust/service-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { organisationEvent } from '../testing/made-changes.ts';
import { organisationCreated } from '../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../testing/service-fixture.ts';
import { openUsageStore } from './usage-store.ts';

const day = '2026-01-15';
const nothing = { inProduction: 0, inSandbox: 0, failed: 0, refused: 0, leased: 0, wanted: 0 };
const setAt = '2026-01-15T00:00:00.000Z';

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createServiceFixture();
  await fixture.untilVisible(
    await fixture.record(organisationCreated('acme', setAt), organisationCreated('rival', setAt)),
  );
});
afterAll(() => fixture.close());

const setLimits = async (orgId: string, callsPerDay: number | null, readsPerDay: number | null = null) => {
  const data = { orgId, callsPerDay, registrationsPerDay: null, readsPerDay, reason: 'contract', setAt };
  await fixture.untilVisible(await fixture.record(organisationEvent('OrganisationLimitsSet', data)));
};
const itemOf = (item: Partial<UsageItem>): UsageItem => ({ orgId: 'acme', day, kind: 'calls', ...nothing, ...item });
const settle = async (reporterId: string, sequence: number, ...items: Partial<UsageItem>[]): Promise<UsageGrant[]> => {
  const report = { reporterId, sequence, items: items.map(itemOf) };
  return (await fixture.gateway.request(settleUsage, report, { timeoutMs: 10_000 })).granted;
};
const usageOf = async (orgId: string) =>
  (await fixture.gateway.request(listUsage, { orgId, from: '2026-01-01', to: '2026-01-31' })).days;

describe('the shared counter', () => {
  it('leases no more than the limit, whoever asks at the same time', async () => {
    await setLimits('acme', 100);
    const gateways = Array.from({ length: 8 }, () => ({ id: randomUUID(), sequence: 0, leased: 0 }));
    await Promise.all(
      gateways.map(async (gateway) => {
        for (let round = 0; round < 10; round += 1) {
          const [grant] = await settle(gateway.id, (gateway.sequence += 1), { wanted: 3 });
          gateway.leased += grant?.granted ?? 0;
        }
      }),
    );
    expect(gateways.reduce((sum, { leased }) => sum + leased, 0)).toBe(100);
    // What one uses counts; what it gives back can be leased again.
    const [first] = gateways.filter(({ leased }) => leased > 1);
    if (first === undefined) throw new Error('no gateway got more than one');
    expect(await settle(first.id, (first.sequence += 1), { inProduction: 1, leased: -first.leased })).toEqual([]);
    expect(await settle(randomUUID(), 1, { wanted: 1_000 })).toEqual([
      { orgId: 'acme', day, kind: 'calls', limit: 100, taken: 101 - first.leased, granted: first.leased - 1 },
    ]);
    expect(await settle(randomUUID(), 1, { wanted: 1 })).toMatchObject([{ taken: 100, granted: 0 }]);
    // Another day, another kind and another organisation have their own.
    expect(await settle(randomUUID(), 1, { wanted: 1, day: '2026-01-16' })).toMatchObject([
      { limit: 100, granted: 10 },
    ]);
    expect(await settle(randomUUID(), 1, { wanted: 7, kind: 'reads' })).toMatchObject([{ limit: 0, granted: 7 }]);
    expect(await settle(randomUUID(), 1, { wanted: 7, orgId: 'rival' })).toMatchObject([{ limit: 0, granted: 7 }]);
  });

  it('takes a report once, however often it is sent, and answers it as before', async () => {
    await setLimits('rival', null, 50);
    const id = randomUUID();
    const items = [{ orgId: 'rival', kind: 'reads' as const, inSandbox: 4, failed: 1, refused: 2, wanted: 5 }];
    const answers = await Promise.all(Array.from({ length: 5 }, () => settle(id, 1, ...items)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject([{ limit: 50, taken: 4, granted: 5 }]);
    expect((await usageOf('rival')).find((one) => one.day === day)?.reads).toEqual({
      used: 4,
      inProduction: 0,
      inSandbox: 4,
      failed: 1,
      refused: 2,
    });
    await settle(id, 2, { orgId: 'rival', kind: 'reads', inProduction: 1, leased: -1 });
    // One that was overtaken is refused: nobody waits for its answer.
    await expect(settle(id, 1, ...items)).rejects.toMatchObject({ name: 'RpcInternalError' });
    expect((await usageOf('rival')).find((one) => one.day === day)?.reads.used).toBe(5);
  });

  it('takes reports that name organisations in any order at one time', async () => {
    const orgs = Array.from({ length: 40 }, (_, index) => ({ orgId: `org ${index}`, inProduction: 1 }));
    await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const id = randomUUID();
        for (let sequence = 1; sequence <= 5; sequence += 1)
          await settle(id, sequence, ...(index % 2 === 0 ? orgs : orgs.toReversed()));
      }),
    );
    expect((await usageOf('org 7'))[0]?.calls.used).toBe(30);
  });
});

describe('limits', () => {
  it('are found by id and by name, with what was set and what holds', async () => {
    await setLimits('acme', 100);
    const find = async (organisation: string) =>
      (await fixture.gateway.request(getOrganisationLimits, { organisation })).limits;
    expect(await find('acme')).toEqual({
      orgId: 'acme',
      orgName: 'Organisation acme',
      callsPerDay: 100,
      registrationsPerDay: 0,
      readsPerDay: 0,
      own: { callsPerDay: 100, registrationsPerDay: null, readsPerDay: null },
      reason: 'contract',
      setAt,
    });
    expect(await find('nobody')).toBe(null);
  });

  it('of the installation hold where none were set, and 0 lifts them', async () => {
    const defaults = { callsPerDay: 5, registrationsPerDay: 0, readsPerDay: 0 };
    const logger = createLogger({ service: 'trust-projection', instanceId: 'test', level: 'silent' });
    const store = await openUsageStore(fixture.url, defaults, logger);
    const lease = (orgId: string) =>
      store.settle({ reporterId: randomUUID(), sequence: 1, items: [itemOf({ orgId, day: '2026-02-01', wanted: 9 })] });
    expect(await lease('newcomer')).toMatchObject([{ limit: 5, granted: 5 }]);
    await setLimits('rival', 0);
    expect(await lease('rival')).toMatchObject([{ limit: 0, granted: 9 }]);
    await store.close();
  });
});

it('counts are deleted once they are older than they are kept', async () => {
  const logger = createLogger({ service: 'trust-projection', instanceId: 'test', level: 'silent' });
  const store = await openUsageStore(fixture.url, { callsPerDay: 0, registrationsPerDay: 0, readsPerDay: 0 }, logger);
  const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const items = [399, 402].map((days) => itemOf({ orgId: 'old', day: daysAgo(days), inProduction: 1 }));
  await store.settle({ reporterId: randomUUID(), sequence: 1, items });
  await store.cleanUp();
  expect((await store.list('old', daysAgo(500), daysAgo(0))).map((one) => one.day)).toEqual([daysAgo(399)]);
  await store.close();
});
