import { describe, expect, it } from 'vitest';
import { encodeHeader } from './header-codec.ts';
import { sentPaymentOf } from './payment.ts';
import { requirementsIn } from './requirement.ts';
import { settlementOf } from './settlement-of.ts';

const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const first = {
  x402Version: 1,
  accepts: [
    {
      scheme: 'exact',
      network: 'base-sepolia',
      maxAmountRequired: '10000',
      payTo,
      asset: usdc,
      resource: 'http://a.test/',
    },
    { scheme: 'exact', network: 'polygon', maxAmountRequired: '20000', payTo, asset: '0xabc', extra: { decimals: 3 } },
  ],
};
const firstPayment = (network = 'base-sepolia', value = '10000') =>
  sentPaymentOf({
    'x-payment': encodeHeader({
      x402Version: 1,
      scheme: 'exact',
      network,
      payload: { signature: '0xsecret', authorization: { from: '0x1', to: payTo, value } },
    }),
  });
const accepted = { scheme: 'exact', network: 'eip155:84532', amount: '2500000', payTo, asset: usdc, extra: {} };
const secondPayment = sentPaymentOf({
  'payment-signature': encodeHeader({ x402Version: 2, accepted, payload: { signature: '0xsecret' } }),
});
const response = { success: true, transaction: '0xfeed', network: 'base-sepolia', payer: '0x1' };
const settle = (options: Partial<Parameters<typeof settlementOf>[0]> & { said?: unknown; header?: string } = {}) =>
  settlementOf({
    payment: firstPayment(),
    statusCode: 200,
    responseHeaders: { [options.header ?? 'x-payment-response']: encodeHeader(options.said ?? response) },
    requirements: requirementsIn(first),
    ...options,
  });

describe('a settlement', () => {
  it('of v1 takes from the accepted requirement what the response omits', () => {
    expect(settle()).toEqual({
      x402Version: 1,
      scheme: 'exact',
      network: 'base-sepolia',
      asset: usdc,
      currency: 'USDC',
      decimals: 6,
      amountAtomic: '10000',
      payTo,
      payer: '0x1',
      confirmationRef: '0xfeed',
      blockNumber: null,
    });
    expect(
      settle({ payment: firstPayment('polygon', '20000'), said: { success: true, transaction: '0x2' } }),
    ).toMatchObject({
      network: 'polygon',
      amountAtomic: '20000',
      currency: '0xabc',
      decimals: 3,
    });
  });

  it('of v2 takes it from the payment itself if the demand is no longer known', () => {
    const said = { success: true, transaction: '0xfeed', network: 'eip155:84532' };
    expect(settle({ payment: secondPayment, said, header: 'payment-response', requirements: [] })).toMatchObject({
      x402Version: 2,
      amountAtomic: '2500000',
      currency: 'USDC',
      payTo,
    });
  });

  it('prefers the amount of the response to the requested one', () => {
    expect(settle({ said: { ...response, amount: '42', blockNumber: 7 } })).toMatchObject({
      amountAtomic: '42',
      blockNumber: 7,
    });
  });

  it('has the signed amount if the agent has changed its price since', () => {
    const cheap = requirementsIn({ accepts: [{ ...first.accepts[0], maxAmountRequired: '1' }] });
    expect(settle({ requirements: cheap })).toMatchObject({
      amountAtomic: '10000',
      payTo,
      asset: usdc,
      currency: 'USDC',
    });
    expect(settle({ requirements: [] })).toMatchObject({ amountAtomic: '10000', payTo, asset: null, currency: null });
  });

  it('never contains a symbol that an agent made up, nor an invalid amount', () => {
    const own = {
      scheme: 'exact',
      network: 'base',
      amount: '-5',
      payTo,
      asset: '0xbad',
      extra: { symbol: 'USDC', name: 'USDC', decimals: 99 },
    };
    const found = settle({
      payment: sentPaymentOf({ 'payment-signature': encodeHeader({ x402Version: 2, payload: { a: 1 } }) }),
      requirements: requirementsIn({ accepts: [own] }),
      said: { success: true },
    });
    expect(found).toMatchObject({ currency: '0xbad', decimals: null, amountAtomic: null, confirmationRef: null });
  });

  it.each([
    ['a request without a payment', { payment: null }],
    ['a header that is no payment', { payment: sentPaymentOf({ 'x-payment': 'not base64!!' }) }],
    ['a status that is no success', { statusCode: 402 }],
    ['a status of the agent breaking', { statusCode: 500 }],
    ['a redirect', { statusCode: 302 }],
    ['success: false', { said: { ...response, success: false } }],
    ['success in another type', { said: { ...response, success: 'true' } }],
    ['no success at all', { said: { transaction: '0xfeed' } }],
    ['a response that is no object', { said: [response] }],
    ['no response', { responseHeaders: {} }],
    ['a response that cannot be read', { responseHeaders: { 'x-payment-response': '{"success":true}' } }],
    [
      'two responses that contradict each other',
      {
        responseHeaders: {
          'payment-response': encodeHeader(response),
          'x-payment-response': encodeHeader({ ...response, success: false }),
        },
      },
    ],
  ])('is not reported by %s', (_what, options) => {
    expect(settle(options)).toBeNull();
  });
});

it('reads demands of both versions, and nothing from other texts', () => {
  expect(requirementsIn({ accepts: [accepted, 'no', null, {}] })).toHaveLength(2);
  for (const none of [undefined, null, 'x', [], { accepts: {} }]) expect(requirementsIn(none)).toEqual([]);
});
