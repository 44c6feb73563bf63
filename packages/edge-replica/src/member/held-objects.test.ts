import { expect, it } from 'vitest';
import { createHeldObjects } from './held-objects.ts';

const object = (groups: string[] = [], bytes = 100) => ({ value: 'v', groups, bytes });

it('holds objects up to a total size', () => {
  const held = createHeldObjects<string>(1_000);
  for (const key of ['a', 'b', 'c', 'd']) held.set(key, object());
  expect([held.get('a'), held.count]).toEqual([undefined, 3]);
  held.set('large', object([], 1_001));
  expect(held.get('large')).toBeUndefined();
});

it('drops the objects of a group, as they are grouped now', () => {
  const held = createHeldObjects<string>(10_000);
  held.set('a', object(['g']));
  held.set('b', object(['g']));
  held.set('b', object(['h']));
  held.deleteGroup('g');
  expect([held.get('a'), held.get('b')]).toEqual([undefined, object(['h'])].map((one) => one && { ...one, key: 'b' }));
  held.deleteGroup('g');
  held.clear();
  expect(held.count).toBe(0);
});
