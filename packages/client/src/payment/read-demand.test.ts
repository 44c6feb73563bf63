import { describe, expect, it } from 'vitest';
import { paymentHeader, readDemands, readSettlement } from './read-demand.ts';

const base64 = (value: unknown): string => btoa(JSON.stringify(value));
const one = {
  scheme: 'exact',
  network: 'base',
  asset: '0xa',
  payTo: '0xb',
  maxAmountRequired: '5',
  resource: 'https://r/pay/a',
};
const first = { x402Version: 1, accepts: [one], error: 'X-PAYMENT header is required' };
const second = {
  x402Version: 2,
  resource: { url: 'https://r/pay/a' },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      asset: '0xa',
      payTo: '0xb',
      amount: '7',
      maxTimeoutSeconds: 60,
      extra: {},
    },
  ],
};

describe('a payment demand', () => {
  it('is read from the place of its version, as one type', () => {
    expect(readDemands(null, first)).toMatchObject([
      {
        x402Version: 1,
        resource: 'https://r/pay/a',
        error: first.error,
        raw: first,
        accepts: [{ amount: '5', raw: one }],
      },
    ]);
    expect(readDemands(base64(second), {})).toMatchObject([
      { x402Version: 2, resource: 'https://r/pay/a', error: null, accepts: [{ amount: '7', maxTimeoutSeconds: 60 }] },
    ]);
  });

  it('of both versions is returned in both, the newer first; of one version twice, once', () => {
    expect(readDemands(base64(second), JSON.stringify(first)).map(({ x402Version }) => x402Version)).toEqual([2, 1]);
    expect(readDemands(base64(second), second)).toHaveLength(1);
  });

  it('is absent if the answer has none', () => {
    for (const body of [null, '', 'pay!', [], {}, { x402Version: 3, accepts: [] }, { x402Version: 1 }])
      expect(readDemands('%%%', body)).toEqual([]);
    expect(readDemands('x'.repeat(2_000_000), 'y'.repeat(2_000_000))).toEqual([]);
  });

  it('omits incomplete payment options', () => {
    expect(readDemands(null, { ...first, accepts: [{ scheme: 'exact' }, null, one] })[0]?.accepts).toHaveLength(1);
  });
});

describe('a payment', () => {
  it('goes into the header of its own version, whatever was demanded', () => {
    expect(paymentHeader(base64({ x402Version: 1 }))).toEqual({ 'x-payment': base64({ x402Version: 1 }) });
    expect(paymentHeader(base64({ x402Version: 2 }))).toEqual({ 'payment-signature': base64({ x402Version: 2 }) });
  });

  it('that is invalid is not sent, and not shown', () => {
    for (const text of ['secret', base64({ secret: 1 }), base64({ x402Version: 9, secret: 1 }), '']) {
      expect(() => paymentHeader(text)).toThrow(TypeError);
      expect(() => paymentHeader(text)).not.toThrow(/secret|c2Vj/u);
    }
  });
});

describe('a settlement', () => {
  it('is what the agent reports', () => {
    const reported = base64({ success: true, transaction: '0xt', network: 'base', payer: '0xp' });
    const header = (name: string) => (wanted: string) => (wanted === name ? reported : null);
    expect(readSettlement(header('payment-response'))).toMatchObject({
      x402Version: 2,
      success: true,
      transaction: '0xt',
    });
    expect(readSettlement(header('x-payment-response'))).toMatchObject({
      x402Version: 1,
      payer: '0xp',
      errorReason: null,
    });
    expect(readSettlement(() => null)).toBeNull();
    expect(readSettlement(() => 'no base64!')).toBeNull();
  });
});
