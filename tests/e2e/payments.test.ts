import { beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Body,
  call,
  createOrg,
  gateways,
  get,
  join,
  type Member,
  type Org,
  stack,
} from '../support/ask.ts';
import { type Buyer, createFirstBuyer, createSecondBuyer } from '../support/payments/buyers.ts';
import { type Facilitator, networks, startFacilitator } from '../support/payments/facilitator.ts';
import { payTo, price, type Seller, startFirstSeller, startSecondSeller } from '../support/payments/sellers.ts';
import { expectNoTraceOf } from '../support/payments/traces.ts';
import { textMessage } from '../support/registry.ts';
import { findSecrets } from '../support/secrets-at-rest.ts';

/*
 * Buyers and sellers are the reference implementations of both versions of x402; the facilitator recovers the signer of every payment.
 */
const versions = [
  { version: 1 as const, startSeller: startFirstSeller, createBuyer: createFirstBuyer, response: 'x-payment-response' },
  { version: 2 as const, startSeller: startSecondSeller, createBuyer: createSecondBuyer, response: 'payment-response' },
];

let facilitator: Facilitator;
let org: Org;
let payer: Member;
beforeAll(async () => {
  facilitator = await startFacilitator();
  org = await createOrg();
  payer = await join(org.key);
  return () => facilitator.stop();
});

const paymentsOf = async ({ key }: Org): Promise<Body[]> => (await get('/org/payments', key)).list;
const decode = (header: string | null): Body => JSON.parse(Buffer.from(header ?? '', 'base64').toString()) as Body;

describe.each(versions)('x402 v$version', ({ version, startSeller, createBuyer, response: responseHeader }) => {
  let seller: Seller;
  let owner: Org;
  let agentId: string;
  let buyer: Buyer;
  let payUrl: string;
  beforeAll(async () => {
    seller = await startSeller(facilitator);
    owner = await createOrg();
    ({ agentId } = await join(owner.key, { endpoint_url: seller.url, settlement_rail: ['x402'] }));
    payUrl = `${gateways[0]}/pay/${agentId}`;
    buyer = createBuyer();
    return () => seller.stop();
  });

  // x402-express shows a paywall of 3.5 MiB to browsers, which names the seller's address; the second version has a small one.
  it('shows a browser the paywall, with the pay address in place of the endpoint', async () => {
    const answer = await fetch(payUrl, { headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0' } });
    const page = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([402, expect.stringContaining('text/html')]);
    expect(page).not.toContain(new URL(seller.url).host);
    expect(version === 1 ? page.length : 1).toBeGreaterThan(version === 1 ? 1024 * 1024 : 0);
    expect(page.includes(payUrl)).toBe(version === 1);
  });

  it('is demanded, paid and served through the registry, and the settlement is recorded', async () => {
    const before = facilitator.settled.length;
    const answer = await buyer.fetch(payUrl);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ forecast: 'sun', method: 'GET', body: '' });
    expect(answer.headers.get('x-registry-attribution')).toBe('none');
    const transaction = facilitator.settled[before];
    expect(decode(answer.headers.get(responseHeader))).toMatchObject({ success: true, transaction });
    // A payer who has the answer can see the settlement.
    const [payment, ...others] = await paymentsOf(owner);
    expect(others).toEqual([]);
    expect(payment).toEqual({
      transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/u) as string,
      receiver_agent_id: agentId,
      caller_agent_id: null,
      amount: price.units,
      amount_atomic: price.atomic,
      currency: 'USDC',
      asset: expect.stringMatching(/^0x036cbd53842c5426634e7929541ec2318f3dcf7e$/iu) as string,
      settlement_rail: 'x402',
      network: networks[version],
      payee_address: payTo,
      confirmation_ref: transaction,
      block_number: null,
      settled_at: expect.stringMatching(/^20\d\d-.*Z$/u) as string,
    });
    expect(buyer.seen.map(({ status }) => status)).toEqual([402, 200]);
  });

  it('shows nothing of the endpoint, even in decoded headers, and names the pay address as the resource', () => {
    const [demand] = buyer.seen;
    for (const seen of buyer.seen) expectNoTraceOf(seen, seller.url);
    const resource =
      version === 1
        ? (JSON.parse(demand?.text ?? '') as { accepts: Body[] }).accepts[0]?.['resource']
        : (decode(demand?.headers.get('payment-required') ?? null)['resource'] as Body)['url'];
    expect(resource).toBe(payUrl);
  });

  it("relays a body of any type by POST, and the query without the registry's own parameters", async () => {
    const answer = await buyer.fetch(`${payUrl}?city=Z%C3%BCrich&call_ref=unknown&b=+1`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv; header=present', 'x-of-the-buyer': 'kept' },
      body: 'a,b\n1,2\n',
    });
    expect(answer.status).toBe(200);
    const { method, body, query, headers } = seller.served.at(-1) ?? {};
    expect({ method, body, query }).toEqual({ method: 'POST', body: 'a,b\n1,2\n', query: 'city=Z%C3%BCrich&b=+1' });
    expect(headers).toMatchObject({ 'content-type': 'text/csv; header=present', 'x-of-the-buyer': 'kept' });
    expect(await paymentsOf(owner)).toHaveLength(2);
  });

  it('is attributed to the caller of the call that the payment refers to', async () => {
    const demand = await call(payer, agentId, textMessage('hello'));
    expect(demand.body['status_code']).toBe(402);
    const payVia = String(demand.body['pay_via']);
    const answer = await buyer.fetch(payVia, { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } });
    expect([answer.status, answer.headers.get('x-registry-attribution')]).toEqual([200, 'call_ref']);
    expect((await paymentsOf(owner))[0]).toMatchObject({ caller_agent_id: payer.agentId });
    const { list } = await get(
      `/ops/settlements?limit=1&org_name=${encodeURIComponent(owner.name.toUpperCase())}`,
      adminToken,
    );
    expect(list[0]).toMatchObject({
      call_ref: demand.body['transaction_id'],
      org_name: owner.name,
      caller_agent_id: payer.agentId,
    });
  });

  it('is attributed to the agent whose key it carries; the key is not relayed', async () => {
    const answer = await buyer.fetch(`${payUrl}?caller_agent_id=${payer.agentId}`, { headers: payer.auth });
    expect([answer.status, answer.headers.get('x-registry-attribution')]).toEqual([200, 'bearer']);
    expect((await paymentsOf(owner))[0]).toMatchObject({ caller_agent_id: payer.agentId });
    expect(JSON.stringify(seller.served)).not.toContain('registry-agent-sk-');
  });

  it('is answered as the seller does if the facilitator does not settle, and not recorded', async () => {
    const before = await paymentsOf(owner);
    facilitator.failWith = 'insufficient_funds';
    try {
      const answer = await buyer.fetch(payUrl);
      expect(answer.status).toBe(402);
      for (const seen of buyer.seen.slice(-2)) expectNoTraceOf(seen, seller.url);
    } finally {
      facilitator.failWith = null;
    }
    expect(await paymentsOf(owner)).toEqual(before);
  });

  it('is refused by the seller if another wallet signed it, and not recorded', async () => {
    const before = await paymentsOf(owner);
    const paid = buyer.seen.findLast(({ request }) =>
      request.headers.has(version === 1 ? 'x-payment' : 'payment-signature'),
    );
    const name = version === 1 ? 'x-payment' : 'payment-signature';
    const payment = decode(paid?.request.headers.get(name) ?? null) as {
      payload: { authorization: { value: string } };
    };
    payment.payload.authorization.value = '99999999';
    const forged = Buffer.from(JSON.stringify(payment)).toString('base64');
    const answer = await fetch(payUrl, { headers: { [name]: forged } });
    expect(answer.status).toBe(402);
    expect(await paymentsOf(owner)).toEqual(before);
  });

  it('leaves nothing of a payment at rest: no log, event, row or bucket has its signature', async () => {
    const name = version === 1 ? 'x-payment' : 'payment-signature';
    const headers = buyer.seen.map(({ request }) => request.headers.get(name)).filter((header) => header !== null);
    const signatures = headers.map(
      (header) => (decode(header) as { payload: { signature: string } }).payload.signature,
    );
    expect(signatures.length).toBeGreaterThan(3);
    expect(await findSecrets(stack, [...headers, ...signatures])).toEqual([]);
  });
});
