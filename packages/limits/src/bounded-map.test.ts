/** Bugs: a map grows without limit; it evicts entries in use; an entry outlives its lifetime. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBoundedMap } from './bounded-map.ts';

describe('bounded map', () => {
  it('equals a model, the list of its latest uses, under any operations', () => {
    const step = fc.record({ does: fc.constantFrom('set', 'get', 'peek', 'delete' as const), key: fc.nat(6) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (steps, countMax) => {
        const map = createBoundedMap<number, string>({ countMax });
        // The least recently used key comes first.
        let used: number[] = [];
        for (const { does, key } of steps) {
          const isHeld = used.includes(key);
          const results = {
            set: () => map.set(key, `of ${key}`),
            get: () => map.get(key),
            peek: () => map.peek(key),
            delete: () => map.delete(key),
          };
          const value = isHeld ? `of ${key}` : undefined;
          expect(results[does]()).toBe({ set: true, get: value, peek: value, delete: undefined }[does]);
          if (does === 'delete' || does === 'set' || (does === 'get' && isHeld))
            used = used.filter((one) => one !== key);
          if (does === 'set' || (does === 'get' && isHeld)) used = [...used, key].slice(-countMax);
          expect(map.size).toBe(used.length);
          for (const one of used) expect(map.has(one)).toBe(true);
        }
      }),
    );
  });

  it('keeps an entry for its lifetime after its last set, also from time 0 on', () => {
    let now = 0;
    const map = createBoundedMap<string, number>({ countMax: 3, lifetimeMs: 100, now: () => now });
    map.set('a', 1);
    now = 60;
    map.set('b', 2);
    now = 100;
    expect([map.get('a'), map.get('b')]).toEqual([1, 2]);
    now = 101;
    expect([map.get('a'), map.get('b')]).toEqual([undefined, 2]);
    map.set('b', 3);
    now = 201;
    expect(map.has('b')).toBe(true);
    now = 202;
    expect(map.has('b')).toBe(false);
  });

  it('is limited by weight', () => {
    const evicted: string[] = [];
    const map = createBoundedMap<string, string>({
      weight: { max: 10, of: (value) => value.length },
      onEvict: (value) => evicted.push(value),
    });
    expect(['aaaa', 'bbbb', 'cc'].map((text) => map.set(text, text))).toEqual([true, true, true]);
    map.get('aaaa');
    expect(map.set('d', 'd')).toBe(true);
    expect([evicted, map.has('aaaa'), map.has('bbbb')]).toEqual([['bbbb'], true, false]);
    expect(map.set('e', 'e'.repeat(11))).toBe(false);
    expect([...map.values()].toSorted()).toEqual(['aaaa', 'cc', 'd']);
  });

  it('evicts only permitted entries, and none for a key that is present', () => {
    const evicted: { busy: boolean }[] = [];
    const map = createBoundedMap<string, { busy: boolean }>({
      countMax: 2,
      mayEvict: ({ busy }) => !busy,
      onEvict: (value) => evicted.push(value),
    });
    const oldest = { busy: true };
    const newer = { busy: true };
    map.set('oldest', oldest);
    map.set('newer', newer);
    expect(map.set('third', { busy: true })).toBe(false);
    expect(map.set('oldest', oldest)).toBe(true);
    oldest.busy = false;
    expect(map.set('third', { busy: true })).toBe(true);
    expect(evicted).toEqual([oldest]);
    expect(map.has('newer')).toBe(true);
  });
});
