import { beforeAll, describe, expect, it } from 'vitest';
import { adminToken, type Body, call, createOrg, get, join, type Member, type Org } from '../support/ask.ts';
import { createFirstBuyer, createSecondBuyer } from '../support/payments/buyers.ts';
import { type Facilitator, networks, startFacilitator } from '../support/payments/facilitator.ts';
import { price, type Seller, startFirstSeller, startSecondSeller } from '../support/payments/sellers.ts';
import { expectNoTraceOf } from '../support/payments/traces.ts';
import { textMessage } from '../support/registry.ts';

/* The same buyers and sellers as on /pay, but the requests go through /call: X-Payment and PAYMENT-SIGNATURE are headers of the call. */
const versions = [
  { version: 1 as const, startSeller: startFirstSeller, createBuyer: createFirstBuyer },
  { version: 2 as const, startSeller: startSecondSeller, createBuyer: createSecondBuyer },
];

let facilitator: Facilitator;
let payer: Member;
beforeAll(async () => {
  facilitator = await startFacilitator();
  payer = await join((await createOrg()).key);
  return () => facilitator.stop();
});

/** A fetch that sends its requests as calls to an agent, and returns the agent's answers. */
const fetchByCall = (agentId: string, transactions: string[], method = 'message/send'): typeof fetch =>
  (async (input: string | URL | Request, init?: RequestInit) => {
    const sent = new Headers(new Request(input, init).headers);
    const carried = ['x-payment', 'payment-signature'].flatMap((name) => {
      const value = sent.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    const { body } = await call(payer, agentId, textMessage('hello', method), {}, Object.fromEntries(carried));
    transactions.push(String(body['transaction_id']));
    return new Response(JSON.stringify(body['body']), {
      status: Number(body['status_code']),
      headers: body['response_headers'] as Record<string, string>,
    });
  }) as typeof fetch;

describe.each(versions)('a call that is paid by x402 v$version', ({ version, startSeller, createBuyer }) => {
  let seller: Seller;
  let owner: Org;
  let agentId: string;
  beforeAll(async () => {
    seller = await startSeller(facilitator);
    owner = await createOrg();
    ({ agentId } = await join(owner.key, { endpoint_url: seller.url, settlement_rail: ['x402'] }));
    return () => seller.stop();
  });
  const payments = async (): Promise<Body[]> => (await get('/org/payments', owner.key)).list;

  it('is settled, and the settlement belongs to the calling agent', async () => {
    const transactions: string[] = [];
    const buyer = createBuyer(fetchByCall(agentId, transactions));
    const answer = await buyer.fetch('http://by.call/');
    expect([answer.status, await answer.json()]).toEqual([200, { forecast: 'sun', method: 'POST', body: 'hello' }]);
    for (const seen of buyer.seen) expectNoTraceOf(seen, seller.url);
    const [payment, ...others] = await payments();
    expect(others).toEqual([]);
    expect(payment).toMatchObject({
      caller_agent_id: payer.agentId,
      amount: price.units,
      currency: 'USDC',
      network: networks[version],
      confirmation_ref: facilitator.settled.at(-1),
    });
    const { list } = await get(`/ops/settlements?org_name=${encodeURIComponent(owner.name)}`, adminToken);
    expect(list).toEqual([
      { ...payment, org_name: owner.name, recorded_at: expect.any(String) as string, call_ref: transactions[1] },
    ]);
    // Among the events of the call, which its owners see.
    const ofCall = await get(`/org/agents/${agentId}/events?transaction_id=${transactions[1]}`, owner.key);
    expect(ofCall.list.map(({ type }) => type)).toEqual(['ExchangeStarted', 'SettlementRecorded', 'ExchangeCompleted']);
  });

  it('is not settled if the facilitator refuses', async () => {
    const before = await payments();
    facilitator.failWith = 'insufficient_funds';
    try {
      expect((await createBuyer(fetchByCall(agentId, [])).fetch('http://by.call/')).status).toBe(402);
    } finally {
      facilitator.failWith = null;
    }
    expect(await payments()).toEqual(before);
  });
});
