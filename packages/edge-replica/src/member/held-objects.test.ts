import { expect, it } from 'vitest';
import { createHeldObjects } from './held-objects.ts';

const object = (dependsOn: string[] = [], bytes = 100) => ({ value: 'v', dependsOn, bytes });

it('holds objects up to a total size', () => {
  const held = createHeldObjects<string>(1_000);
  for (const key of ['a', 'b', 'c', 'd']) held.set(key, object());
  expect([held.get('a'), held.count]).toEqual([undefined, 3]);
  held.set('large', object([], 1_001));
  expect(held.get('large')).toBeUndefined();
});

it('drops an object, and what depends on it as it does now', () => {
  const held = createHeldObjects<string>(10_000);
  held.set('a', object(['d']));
  held.set('b', object(['d']));
  held.set('b', object(['e', 'f']));
  held.drop('d');
  expect([held.get('a'), held.get('b')?.dependsOn]).toEqual([undefined, ['e', 'f']]);
  held.drop('f');
  expect(held.get('b')).toBeUndefined();
  held.set('c', object(['c', 'd']));
  held.drop('c');
  held.drop('d');
  expect(held.count).toBe(0);
});

it('counts what an object depends on', () => {
  const held = createHeldObjects<string>(1_000);
  held.set('a', object(Array.from({ length: 10 }, (_, index) => `d${index}`)));
  expect(held.get('a')).toBeUndefined();
});

it('drops all of several that depend on one, and forgets those that left before', () => {
  const held = createHeldObjects<string>(100_000);
  for (const key of ['a', 'b', 'c']) held.set(key, object(['d', 'd']));
  held.set('b', object(['e']));
  held.drop('a');
  held.drop('d');
  expect(['a', 'b', 'c'].map((key) => held.get(key)?.value)).toEqual([undefined, 'v', undefined]);
  held.clear();
  held.set('b', object([]));
  held.drop('e');
  expect(held.count).toBe(1);
});
