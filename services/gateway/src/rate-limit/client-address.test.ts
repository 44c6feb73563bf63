/** Bug: a derived name reveals the address, or differs at another gateway. */
import { expect, it } from 'vitest';
import { createAnonymousIds } from './client-address.ts';

it('one address has the same name at every gateway of a registry, and another name at other registries', () => {
  const [idOf, elsewhere] = [createAnonymousIds('registry-secret-1'), createAnonymousIds('registry-secret-2')];
  const id = idOf('192.0.2.7');
  expect(id).toMatch(/^[\w-]{22}$/u);
  expect(createAnonymousIds('registry-secret-1')('192.0.2.7')).toBe(id);
  expect(new Set([id, idOf('192.0.2.8'), elsewhere('192.0.2.7')]).size).toBe(3);
});
