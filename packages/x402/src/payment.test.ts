/** Bug: one payment is treated as two, because its demand took another way or its original is no longer known. */
import { describe, expect, it } from 'vitest';
import { encodeHeader } from './header-codec.ts';
import { paymentIdentityOf } from './payment.ts';

const base = 'https://registry.example/pay/an-agent';
const signed = { signature: '0xAb', authorization: { from: '0x1', to: '0x2', value: '5', nonce: '0xcd' } };
const identity = (payment: unknown, header = 'payment-signature'): string | null =>
  paymentIdentityOf({ [header]: encodeHeader(payment) }, base);

describe('a payment', () => {
  it('is the same whatever texts of the demand it repeats, in either version, in any notation', () => {
    const same = identity({ x402Version: 2, resource: { url: base }, accepted: { payTo: '0x2' }, payload: signed });
    for (const other of [
      { x402Version: 2, resource: { url: `${base}?call_ref=c#2` }, accepted: {}, payload: signed },
      { x402Version: 2, payload: signed },
      { x402Version: 2, payload: { authorization: { ...signed.authorization, from: '0x1' }, signature: '0xaB' } },
    ]) {
      expect(identity(other)).toBe(same);
    }
    expect(identity({ x402Version: 1, scheme: 'exact', network: 'base', payload: signed }, 'x-payment')).toBe(same);
    const withAddress = (url: string) => identity({ x402Version: 2, payload: { ...signed, url } });
    expect(withAddress(base)).toBe(withAddress(`${base}?x=1#3`));
  });

  it('is another one if something else is signed', () => {
    const others = [
      signed,
      { ...signed, signature: '0xac' },
      { ...signed, authorization: { ...signed.authorization, nonce: '0xce' } },
      { ...signed, url: 'https://elsewhere.example/' },
      { transaction: 'aB' },
      { transaction: 'ab' },
      { list: { a: 1 } },
      { list: [['a', 1]] },
    ].map((payload) => identity({ x402Version: 2, payload }));
    expect(new Set(others)).toHaveProperty('size', others.length);
  });

  // Bug: an agent's claim of a settlement was believed, whatever the header contained.
  it('exists only if the header is readable as one', () => {
    const payload = { signature: '0x1' };
    for (const none of [
      [],
      {},
      null,
      'x',
      1,
      { x402Version: 1 },
      { payload },
      { x402Version: 1, payload: {} },
      { x402Version: 1, payload: [payload] },
      { x402Version: 1, payload: null },
      { x402Version: 3, payload },
      { x402Version: '1', payload },
      [{ x402Version: 1, payload }],
    ]) {
      expect([identity(none), identity(none, 'x-payment')]).toEqual([null, null]);
    }
    for (const header of ['', ' ', 'not base64!!', '{"x402Version":1,"payload":{"signature":"0x1"}}']) {
      expect(paymentIdentityOf({ 'x-payment': header }, base)).toBe(null);
    }
    expect(paymentIdentityOf({ accept: '*/*' }, base)).toBe(null);
    // An unreadable header does not hide the payment in the other version's header.
    const readable = { 'x-payment': encodeHeader({ x402Version: 1, payload, of: 'whom it may concern' }) };
    const known = paymentIdentityOf(readable, base);
    expect(known).not.toBe(null);
    expect(paymentIdentityOf({ ...readable, 'payment-signature': 'not base64!!' }, base)).toBe(known);
  });
});
