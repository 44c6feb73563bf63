import { expect, it } from 'vitest';
import { heldFor } from './held-for.ts';

it('makes a value once while it is held, for each key, and again afterwards', async () => {
  let nowMs = 0;
  let made = 0;
  const of = heldFor(
    10,
    async (key: string) => `${key}${(made += 1)}`,
    () => nowMs,
  );
  expect(await Promise.all([of('a'), of('a'), of('b')])).toEqual(['a1', 'a1', 'b2']);
  nowMs = 9;
  expect(await of('a')).toBe('a1');
  nowMs = 10;
  expect(await of('a')).toBe('a3');
});

it('does not keep a failure', async () => {
  let fails = true;
  const of = heldFor(10, async () => {
    if (fails) throw new Error('the database is away');
    return 'made';
  });
  await expect(of(1)).rejects.toThrow('away');
  fails = false;
  expect(await of(1)).toBe('made');
});
