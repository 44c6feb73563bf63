// Bug: a counter per fixed minute allows ten requests around the turn of the minute. Method: random arrival times, also with clocks that run
// backwards: no 60 s may have more than five admissions, and a request that waited for Retry-After is admitted.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientOf } from './client-address.ts';
import { admit } from './rate-limiter.ts';

const window = { countMax: 5, windowMs: 60_000 };

describe('sliding window', () => {
  it('never admits more than five in any minute, and refuses none without need', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -500, max: 40_000 }), { maxLength: 60 }), (gaps) => {
        let now = 1_000_000;
        let log: readonly number[] = [];
        const admitted: number[] = [];
        for (const gap of gaps) {
          now += gap;
          const at = Math.max(now, log.at(-1) ?? 0);
          const admission = admit(window, log, now);
          const inWindow = admitted.filter((earlier) => at - earlier <= window.windowMs).length;
          expect(admission.admitted).toBe(inWindow < window.countMax);
          const admittedAfter = (waitMs: number): boolean => admit(window, log, now + waitMs).admitted;
          const waitMs = admission.admitted ? 0 : admission.retryAfterMs;
          // A request that waits for Retry-After is admitted, and would not have been a moment sooner.
          expect([admittedAfter(waitMs), waitMs > 0 && admittedAfter(waitMs - 1)]).toEqual([true, false]);
          if (admission.admitted) {
            log = admission.admittedAt;
            admitted.push(at);
          }
          expect(log.length).toBeLessThanOrEqual(window.countMax);
        }
      }),
      { numRuns: 500, seed: 20_260_101 },
    );
  });
});

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['not an address', 'not an address'],
])('treats %s as the client %s', (address, client) => {
  expect(clientOf(address)).toBe(client);
});
