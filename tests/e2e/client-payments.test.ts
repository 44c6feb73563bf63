/**
 * The client reads a payment demand and hands it to a wallet, here those of the reference libraries. The sellers are the reference
 * implementations too, and a facilitator recovers the signer of every payment.
 */
import type { OnPaymentRequired, PaymentDemand, RegistryClient } from '@agent-trust/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { createOrg, join, type Org } from '../support/ask.ts';
import { type Buyer, createFirstBuyer, createSecondBuyer } from '../support/payments/buyers.ts';
import { type Facilitator, networks, startFacilitator } from '../support/payments/facilitator.ts';
import { payTo, price, type Seller, startFirstSeller, startSecondSeller } from '../support/payments/sellers.ts';
import { textMessage } from '../support/registry.ts';
import { watchedClient } from '../support/watched-client.ts';

const versions = [
  { version: 1 as const, startSeller: startFirstSeller, createBuyer: createFirstBuyer },
  { version: 2 as const, startSeller: startSecondSeller, createBuyer: createSecondBuyer },
];

/** A wallet of a reference library, which pays for any 402 answer: here for the demand that the client hands over. */
const walletOf =
  (createBuyer: (send: typeof fetch) => Buyer, demands: PaymentDemand[]): OnPaymentRequired =>
  async (demand) => {
    demands.push(demand);
    let payment: string | null = null;
    const buyer = createBuyer((async (request: Request) => {
      payment = request.headers.get('x-payment') ?? request.headers.get('payment-signature');
      const text = JSON.stringify(demand.raw);
      return payment === null
        ? new Response(text, { status: 402, headers: { 'payment-required': btoa(text) } })
        : new Response('{}');
    }) as unknown as typeof fetch);
    await buyer.fetch('http://wallet.invalid/');
    return payment;
  };

let facilitator: Facilitator;
let org: Org;
let callerId: string;
let payer: RegistryClient;
beforeAll(async () => {
  facilitator = await startFacilitator();
  org = await createOrg();
  const member = await join(org.key);
  callerId = member.agentId;
  payer = watchedClient({ agentKey: String(member.auth['authorization']).replace('Bearer ', '') });
  return () => facilitator.stop();
});

describe.each(versions)('x402 v$version', ({ version, startSeller, createBuyer }) => {
  let seller: Seller;
  let owner: RegistryClient;
  let agentId: string;
  beforeAll(async () => {
    seller = await startSeller(facilitator);
    const { key } = await createOrg();
    owner = watchedClient({ orgKey: String(key['x-api-key']) });
    ({ agentId } = await join(key, { endpoint_url: seller.url, settlement_rail: ['x402'] }));
    return () => seller.stop();
  });

  it('is shown and not paid without a wallet, or if the wallet declines', async () => {
    const reported = await payer.pay(agentId);
    expect([reported.status, reported.settlement]).toEqual([402, null]);
    const [demand] = reported.demands;
    expect(demand).toMatchObject({ x402Version: version, resource: expect.stringContaining('/pay/') as string });
    expect(demand?.accepts[0]).toMatchObject({
      scheme: 'exact',
      network: networks[version],
      amount: price.atomic,
      payTo,
    });
    expect(await reported.response.text()).toEqual(expect.any(String));
    expect((await payer.pay(agentId, { onPaymentRequired: () => null })).status).toBe(402);
    expect(seller.served).toEqual([]);
  });

  it('is paid once by a wallet, and the settlement belongs to the payer', async () => {
    const demands: PaymentDemand[] = [];
    const onPaymentRequired = walletOf(createBuyer, demands);
    const paid = await payer.pay(agentId, { method: 'POST', body: { city: 'Lyon' }, onPaymentRequired });
    expect([paid.status, paid.attribution, demands.length]).toEqual([200, 'bearer', 1]);
    expect(await paid.response.json()).toMatchObject({ forecast: 'sun', body: '{"city":"Lyon"}' });
    expect(paid.settlement).toMatchObject({ x402Version: version, success: true });
    const { payments } = await owner.org.payments();
    expect(payments).toMatchObject([{ caller_agent_id: callerId, confirmation_ref: paid.settlement?.transaction }]);
  });

  it('is paid in a second call after the one that got the demand', async () => {
    const demands: PaymentDemand[] = [];
    const body = { caller_agent_id: callerId, agent_id: agentId, message: textMessage('hello') };
    const reported = await payer.call(body);
    expect([reported.status_code, reported.pay_via]).toEqual([402, expect.stringContaining(`/pay/${agentId}`)]);
    const paid = await payer.call(body, { onPaymentRequired: walletOf(createBuyer, demands) });
    expect([paid.status_code, demands.length]).toEqual([200, 1]);
    expect(paid.body).toMatchObject({ forecast: 'sun', body: 'hello' });
  });

  it('is not paid twice if the seller rejects the payment', async () => {
    facilitator.failWith = 'invalid_transaction_state';
    const demands: PaymentDemand[] = [];
    const answer = await payer.pay(agentId, { onPaymentRequired: walletOf(createBuyer, demands) });
    facilitator.failWith = null;
    expect([answer.status, demands.length]).toEqual([402, 1]);
  });
});

it('an invalid payment is not sent', async () => {
  const { agentId } = await join(org.key);
  await expect(payer.pay(agentId, { payment: 'secret' })).rejects.toThrow(/^this is no payment/u);
});
