import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StoredKeys } from './stored-keys.ts';

describe('stored keys', () => {
  it('never deny a key that was added', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.string())), (added) => {
        const keys = new StoredKeys(256);
        for (const [table, key] of added) keys.forTable(table).add(key);
        expect(added.every(([table, key]) => keys.forTable(table).mayHave(key))).toBe(true);
      }),
    );
  });

  it('have few false positives, at ten bits a key', () => {
    const keys = new StoredKeys(2 ** 14);
    const count = (2 ** 14 * 8) / 10;
    const [exchanges, ratings] = [keys.forTable('exchange'), keys.forTable('rating')];
    for (let n = 0; n < count; n += 1) exchanges.add(`tx-${n}`);
    let wrong = 0;
    for (let n = 0; n < count; n += 1) {
      if (exchanges.mayHave(`tx-${count + n}`)) wrong += 1;
      if (ratings.mayHave(`tx-${n}`)) wrong += 1;
    }
    expect(wrong / (2 * count)).toBeLessThan(0.02);
  });

  it('deny everything before a key is added', () => {
    expect(new StoredKeys(64).forTable('exchange').mayHave('tx')).toBe(false);
    expect(() => new StoredKeys(192)).toThrow('not a power of two');
  });
});
