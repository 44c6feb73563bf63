import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { someConfiguration } from '../testing/index.ts';
import { ensureCapabilityWeightTiers, ensurePaymentFieldsOfPrices, mergeCapabilities } from './configuration.ts';

const ofWeights = (...weights: number[]) => weights.map((weight, index) => ({ name: `c${index}`, weight }));

describe('capability weight tiers', () => {
  it.each([[[]], [[3]], [[3, 2, 2, 1, 1, 1]], [[1, 1, 1]], [[2, 2]]])('allow %j', (weights) => {
    expect(() => ensureCapabilityWeightTiers(ofWeights(...weights))).not.toThrow();
  });

  it.each([[[3, 3]], [[2, 2, 2]], [[1, 1, 1, 1]], [[3, 2, 2, 1, 1, 1, 1]]])('refuse %j', (weights) => {
    expect(() => ensureCapabilityWeightTiers(ofWeights(...weights))).toThrow(
      expect.objectContaining({ code: 'capability_weights_exceeded' }),
    );
  });
});

describe('merging capabilities', () => {
  const capabilities = fc.array(
    fc.record({ name: fc.constantFrom('a', 'b', 'c', '__proto__'), weight: fc.integer({ min: 1, max: 3 }) }),
    { maxLength: 12 },
  );

  it('keeps one entry for each name, with the highest weight, and is idempotent', () => {
    fc.assert(
      fc.property(capabilities, (given) => {
        const merged = mergeCapabilities(given);
        expect(merged.map(({ name }) => name)).toEqual([...new Set(given.map(({ name }) => name))]);
        for (const { name, weight } of merged) {
          expect(weight).toBe(Math.max(...given.filter((one) => one.name === name).map((one) => one.weight)));
        }
        expect(mergeCapabilities(merged)).toEqual(merged);
      }),
    );
  });
});

describe('a price schedule needs the payment fields', () => {
  const payment = { paymentNetwork: 'base', paymentPayTo: '0xabc', paymentAsset: 'USDC' };
  const priceSchedule = [{ task: 'quote', price: 0.5 }];

  it('allows prices with all three, and no prices without any', () => {
    expect(() => ensurePaymentFieldsOfPrices(someConfiguration({ priceSchedule, ...payment }))).not.toThrow();
    expect(() => ensurePaymentFieldsOfPrices(someConfiguration())).not.toThrow();
    expect(() => ensurePaymentFieldsOfPrices(someConfiguration({ priceSchedule: [] }))).not.toThrow();
  });

  it.each(Object.keys(payment))('refuses prices without %s', (field) => {
    const configuration = someConfiguration({ priceSchedule, ...payment, [field]: null });
    expect(() => ensurePaymentFieldsOfPrices(configuration)).toThrow(
      expect.objectContaining({
        code: 'price_schedule_incomplete',
        items: [expect.objectContaining({ loc: ['body', 'price_schedule'] })],
      }),
    );
  });
});
