/** Bugs: what is remembered of one agent's address decides about another's; a remembered text is found although it changed. */
import { describe, expect, it } from 'vitest';
import { addressMatcherOf, redactionFor } from './address-matchers.ts';
import { proxyLimits } from './limits.ts';

const first = 'http://first.example:8443/rpc';
const second = 'http://second.example/rpc';
const payAddress = { base: 'https://registry.example/pay/a', url: 'https://registry.example/pay/a' };

describe('a kept matcher', () => {
  it('finds its own address each time, and no other', () => {
    for (let turn = 0; turn < 3; turn += 1) {
      for (const text of ['see first.example', 'see second.example', 'see third.example', 'Zmlyc3QuZXhhbXBsZQ==']) {
        const isFirst = text.includes('first') || text.startsWith('Zm');
        expect([text, addressMatcherOf(first).isIn(text)]).toEqual([text, isFirst]);
        expect([text, addressMatcherOf(second).isIn(text)]).toEqual([text, text.includes('second')]);
      }
    }
  });

  it('finds it after more texts than are remembered, and in longer ones', () => {
    const matcher = addressMatcherOf(first);
    for (let turn = 0; turn < 3 * proxyLimits.textsRemembered; turn += 1) {
      expect(matcher.isIn(`text ${turn}`)).toBe(false);
      expect(matcher.isIn(`text ${turn} of first.example`)).toBe(true);
    }
    expect(matcher.isIn('x '.repeat(proxyLimits.rememberedTextCharsMax))).toBe(false);
    expect(matcher.isIn(`${'x '.repeat(proxyLimits.rememberedTextCharsMax)}first.example`)).toBe(true);
  });

  it('is not changed by the resource that a demand names', () => {
    const demand = { resource: { url: 'https://other.example/resource' }, note: 'other.example' };
    expect(redactionFor(first, payAddress).redact(demand)).toEqual({
      resource: { url: payAddress.url },
      note: `${payAddress.url}#2`,
    });
    expect(redactionFor(first, payAddress).isNamedIn('other.example')).toBe(false);
  });
});
