import {
  getExchangeParties,
  getOrgPaymentTotals,
  listOrgPayments,
  listSettlements,
  type Universe,
} from '@agent-trust/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  agentRegistered,
  exchangeStarted,
  organisationCreated,
  production,
  settlementRecorded,
} from '../../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../../testing/service-fixture.ts';

let fixture: ServiceFixture;
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const ask = { timeoutMs: 5_000 };
const sandboxOf = (orgId: string): Universe => ({ kind: 'sandbox', orgId });
const bare = {
  scheme: null,
  network: null,
  asset: null,
  currency: null,
  decimals: null,
  amountAtomic: null,
  payeeAddress: null,
  payerAddress: null,
  confirmationRef: null,
};

beforeAll(async () => {
  fixture = await createServiceFixture();
  const call = {
    transactionId: 'the-call',
    callerAgentId: 'nobodys',
    receiverAgentId: 'draft',
    universe: sandboxOf('acme'),
  };
  const position = await fixture.record(
    organisationCreated('acme', at(0)),
    organisationCreated('rival', at(0)),
    agentRegistered({ agentId: 'alpha', orgId: 'acme' }, at(1)),
    agentRegistered({ agentId: 'draft', orgId: 'acme', universe: sandboxOf('acme') }, at(1)),
    agentRegistered({ agentId: 'b-rival', orgId: 'rival' }, at(1)),
    agentRegistered({ agentId: 'nobodys' }, at(1)),
    exchangeStarted(call, at(2)),
    settlementRecorded('s1', at(3), { receiverAgentId: 'alpha', ...bare }),
    settlementRecorded('s2', at(4), {
      receiverAgentId: 'alpha',
      amountAtomic: '1234567',
      callerAgentId: 'nobodys',
      callRef: 'ref',
      attribution: 'call_ref',
      blockNumber: 9_007_199_254_740_991,
    }),
    settlementRecorded('s3', at(5), {
      receiverAgentId: 'draft',
      universe: sandboxOf('acme'),
      currency: '0xown',
      asset: '0xown',
      decimals: null,
      amountAtomic: '42',
    }),
    settlementRecorded('s4', at(6), { receiverAgentId: 'b-rival' }),
    settlementRecorded('s5', at(7), { receiverAgentId: 'nobodys' }),
    settlementRecorded('s6', at(8), { receiverAgentId: 'alpha', decimals: 18, amountAtomic: '1' + '0'.repeat(77) }),
  );
  await fixture.untilVisible(position);
});
afterAll(() => fixture.close());

const page = async (orgId: string, universe: Universe, limit = 100, offset = 0) => {
  const { payments, total } = await fixture.gateway.request(listOrgPayments, { orgId, universe, limit, offset }, ask);
  return [payments.map(({ settledAt }) => new Date(settledAt ?? '').getUTCMinutes()), total];
};
const operators = async (orgName: string | null = null, limit = 100, offset = 0) => {
  const { settlements, total } = await fixture.gateway.request(listSettlements, { orgName, limit, offset }, ask);
  return [settlements.map(({ settledAt, orgName: name }) => [new Date(settledAt ?? '').getUTCMinutes(), name]), total];
};

describe("an organisation's payments", () => {
  it('come newest first, in pages, of one organisation and universe', async () => {
    expect(await page('acme', production)).toEqual([[8, 4, 3], 3]);
    expect(await page('acme', production, 2, 1)).toEqual([[4, 3], 3]);
    expect(await page('acme', production, 2, 3)).toEqual([[], 3]);
    expect(await page('acme', sandboxOf('acme'))).toEqual([[5], 1]);
    expect(await page('rival', production)).toEqual([[6], 1]);
    expect(await page('rival', sandboxOf('rival'))).toEqual([[], 0]);
    expect(await page('acme', sandboxOf('rival'))).toEqual([[], 0]);
  });

  it('contain all fields, with null for unknown values', async () => {
    const input = { orgId: 'acme', universe: production, limit: 100, offset: 0 };
    const [large, known, unknown] = (await fixture.gateway.request(listOrgPayments, input, ask)).payments;
    expect(known).toEqual({
      transactionId: expect.stringMatching(/^[0-9a-f-]{36}$/u) as string,
      receiverAgentId: 'alpha',
      callerAgentId: 'nobodys',
      amount: 1.234567,
      amountAtomic: '1234567',
      currency: 'USDC',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      settlementRail: 'x402',
      network: 'eip155:8453',
      payeeAddress: '0xpayee',
      confirmationRef: expect.stringMatching(/^0x[0-9a-f]{64}$/u) as string,
      blockNumber: 9_007_199_254_740_991,
      settledAt: at(4),
    });
    expect(unknown).toMatchObject({
      amount: null,
      amountAtomic: null,
      currency: null,
      network: null,
      callerAgentId: null,
    });
    expect(large).toMatchObject({ amount: 1e59, amountAtomic: `1${'0'.repeat(77)}` });
    const sandbox = await fixture.gateway.request(listOrgPayments, { ...input, universe: sandboxOf('acme') }, ask);
    expect(sandbox.payments[0]).toMatchObject({ amount: 42, currency: '0xown' });
  });
});

describe("an organisation's totals", () => {
  const totals = async (orgId: string, universe: Universe) =>
    (await fixture.gateway.request(getOrgPaymentTotals, { orgId, universe }, ask)).totals;
  const usdc = { network: 'eip155:8453', currency: 'USDC', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' };

  it('sum its payments by network and asset, exactly, and say nothing of unknown amounts', async () => {
    expect(await totals('acme', production)).toEqual([
      // 1.234567 of six decimals, and 10^77 of eighteen.
      {
        ...usdc,
        paymentCount: 2,
        amount: 1e59,
        amountAtomic: `1${'0'.repeat(70)}1234567`,
        lastSettledAt: at(8),
      },
      {
        network: null,
        currency: null,
        asset: null,
        paymentCount: 1,
        amount: null,
        amountAtomic: null,
        lastSettledAt: at(3),
      },
    ]);
  });

  it('are of one organisation and universe', async () => {
    expect(await totals('acme', sandboxOf('acme'))).toMatchObject([
      { asset: '0xown', paymentCount: 1, amountAtomic: '42' },
    ]);
    expect(await totals('rival', production)).toMatchObject([{ paymentCount: 1 }]);
    expect(await totals('rival', sandboxOf('rival'))).toEqual([]);
    expect(await totals('acme', sandboxOf('rival'))).toEqual([]);
  });
});

describe("the operators' view of settlements", () => {
  it('contains those of all organisations, in all universes, newest first', async () => {
    const all = [
      [8, 'Organisation acme'],
      [7, null],
      [6, 'Organisation rival'],
      [5, 'Organisation acme'],
      [4, 'Organisation acme'],
      [3, 'Organisation acme'],
    ];
    expect(await operators()).toEqual([all, 6]);
    expect(await operators(null, 2, 1)).toEqual([all.slice(1, 3), 6]);
  });

  it('can be filtered by organisation', async () => {
    // Its id is derived from its name at registration; the ids of this history are made up.
    expect(await operators('Organisation acme')).toEqual([[], 0]);
  });

  it('contains the call and the time of the record', async () => {
    const input = { orgName: null, limit: 1, offset: 4 };
    const [settlement] = (await fixture.gateway.request(listSettlements, input, ask)).settlements;
    expect(settlement).toMatchObject({ callRef: 'ref', recordedAt: expect.stringMatching(/^20\d\d-/u) as string });
  });
});

describe('the parties of an exchange', () => {
  const parties = (transactionId: string) => fixture.gateway.request(getExchangeParties, { transactionId }, ask);

  it('are known as soon as it has started, and null for an unknown one', async () => {
    expect(await parties('the-call')).toEqual({
      parties: { callerAgentId: 'nobodys', receiverAgentId: 'draft', universe: sandboxOf('acme'), callerBlock: null },
    });
    expect(await parties('no-call')).toEqual({ parties: null });
  });
});

// The last test: what it records would be in the listings above.
it('amounts of one asset in units and in atomic units are not added', async () => {
  const own = { receiverAgentId: 'mixed-agent', asset: '0xmixed', currency: '0xmixed', amountAtomic: '1500000' };
  const position = await fixture.record(
    organisationCreated('mixed', at(9)),
    agentRegistered({ agentId: 'mixed-agent', orgId: 'mixed' }, at(9)),
    settlementRecorded('s7', at(10), { ...own, decimals: 6 }),
    settlementRecorded('s8', at(11), { ...own, decimals: null }),
  );
  await fixture.untilVisible(position);
  const { totals } = await fixture.gateway.request(getOrgPaymentTotals, { orgId: 'mixed', universe: production }, ask);
  expect(totals).toMatchObject([{ paymentCount: 2, amount: null, amountAtomic: '3000000' }]);
});
