/** Bugs: a permit is released twice or never; a refused request keeps the permits that it has counted. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConcurrencyLimiter, type Share } from './concurrency-limiter.ts';

const owner: Share = { key: 'owner', max: 1 };
const all: Share = { key: 'all', max: 2 };

describe('ConcurrencyLimiter', () => {
  it('counts the permits in use, and never exceeds a share', () => {
    const shares = fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3 });
    const step = fc.record({ shares, releases: fc.array(fc.nat(20), { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const limiter = new ConcurrencyLimiter();
        const maxOf = (key: number): number => key + 1;
        const held: { keys: number[]; isHeld: boolean; release: () => void }[] = [];
        const count = (key: number): number => held.filter(({ keys, isHeld }) => isHeld && keys.includes(key)).length;
        for (const { shares: keys, releases } of steps) {
          const full = keys.find((key) => count(key) >= maxOf(key));
          const permit = limiter.tryAcquire(keys.map((key) => ({ key: String(key), max: maxOf(key) })));
          expect(permit.full?.key).toBe(full?.toString());
          if (permit.release !== undefined) held.push({ keys, isHeld: true, release: permit.release });
          for (const index of releases) {
            const one = held[index];
            if (one === undefined) continue;
            // A second release must not change anything.
            one.release();
            one.isHeld = false;
          }
          for (let key = 0; key < 5; key += 1) expect(limiter.running(String(key))).toBe(count(key));
        }
      }),
    );
  });

  it('names the share that is exhausted', () => {
    const limiter = new ConcurrencyLimiter();
    const first = limiter.tryAcquire([owner, all]);
    expect(limiter.tryAcquire([owner, all]).full).toBe(owner);
    limiter.tryAcquire([all]);
    expect(limiter.tryAcquire([all]).full).toBe(all);
    first.release?.();
    expect(limiter.tryAcquire([owner, all]).full).toBeUndefined();
  });
});
