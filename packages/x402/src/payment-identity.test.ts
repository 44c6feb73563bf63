/** Bug meant: one payment is taken for two, because its demand went another way or its original is not known any more. */
import { describe, expect, it } from 'vitest';
import { encodeHeader } from './header-codec.ts';
import { paymentIdentityOf } from './payment-identity.ts';

const base = 'https://registry.example/pay/an-agent';
const signed = { signature: '0xAb', authorization: { from: '0x1', to: '0x2', value: '5', nonce: '0xcd' } };
const identity = (payment: unknown, header = 'payment-signature'): string | null =>
  paymentIdentityOf({ [header]: encodeHeader(payment) }, base);

describe('a payment', () => {
  it('is the same with whatever repeats the demand, by either version, in whatever writing', () => {
    const same = identity({ x402Version: 2, resource: { url: base }, accepted: { payTo: '0x2' }, payload: signed });
    for (const other of [
      { x402Version: 2, resource: { url: `${base}?call_ref=c#2` }, accepted: {}, payload: signed },
      { payload: signed },
      { payload: { authorization: { ...signed.authorization, from: '0x1' }, signature: '0xaB' } },
    ]) {
      expect(identity(other)).toBe(same);
    }
    expect(identity({ x402Version: 1, scheme: 'exact', network: 'base', payload: signed }, 'x-payment')).toBe(same);
    const withAddress = (url: string) => identity({ payload: { ...signed, url } });
    expect(withAddress(base)).toBe(withAddress(`${base}?x=1#3`));
  });

  it('is another where something else is signed', () => {
    const others = [
      signed,
      { ...signed, signature: '0xac' },
      { ...signed, authorization: { ...signed.authorization, nonce: '0xce' } },
      { ...signed, url: 'https://elsewhere.example/' },
      { transaction: 'aB' },
      { transaction: 'ab' },
      { list: { a: 1 } },
      { list: [['a', 1]] },
    ].map((payload) => identity({ payload }));
    expect(new Set(others)).toHaveProperty('size', others.length);
  });

  it('that does not say what was signed is known by all that it says', () => {
    expect(identity({ payload: {}, a: 1 })).not.toBe(identity({ payload: {}, a: 2 }));
    expect(identity({ b: 1, a: base })).toBe(identity({ a: `${base}#2`, b: 1 }));
    expect(identity([1])).not.toBe(identity([2]));
    expect(paymentIdentityOf({ 'x-payment': ' opaque! ' }, base)).toBe('opaque!');
    expect(paymentIdentityOf({ accept: '*/*' }, base)).toBe(null);
  });
});
