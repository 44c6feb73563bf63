import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRate } from './rate.ts';

it('admits no more than the burst and the rate allow, and admits a request that has waited for the given time', () => {
  const perSecondMax = 10;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 400 }), { maxLength: 100 }), (gaps) => {
      const rate = createRate(perSecondMax);
      let now = 1_000;
      let latest = now;
      let admitted = 0;
      for (const gap of gaps) {
        now += gap;
        latest = Math.max(latest, now);
        const waitMs = rate.waitMs(now);
        if (waitMs === 0) {
          rate.take(now);
          admitted += 1;
        }
        expect(rate.waitMs(latest + 1_000)).toBe(0);
        expect(waitMs === 0 || rate.waitMs(latest + waitMs) === 0).toBe(true);
        expect(admitted).toBeLessThanOrEqual(perSecondMax + ((latest - 1_000) / 1_000) * perSecondMax + 1);
      }
    }),
    { numRuns: 300, seed: 20_260_103 },
  );
});

it("admits a full second's worth at once after a pause", () => {
  const rate = createRate(5);
  let taken = 0;
  while (rate.waitMs(0) === 0) {
    rate.take(0);
    taken += 1;
  }
  expect([taken, rate.waitMs(0), rate.waitMs(200)]).toEqual([5, 200, 0]);
});
