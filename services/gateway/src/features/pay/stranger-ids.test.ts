/** Bug meant: a name that tells the address, or that is another one at the next gateway. */
import { expect, it } from 'vitest';
import { createStrangerIds } from './stranger-ids.ts';

it('names one address alike at every gateway of a registry, and otherwise in another', () => {
  const [idOf, elsewhere] = [createStrangerIds('registry-secret-1'), createStrangerIds('registry-secret-2')];
  const id = idOf('192.0.2.7');
  expect(id).toMatch(/^[\w-]{22}$/u);
  expect(createStrangerIds('registry-secret-1')('192.0.2.7')).toBe(id);
  expect(new Set([id, idOf('192.0.2.8'), elsewhere('192.0.2.7')]).size).toBe(3);
});
