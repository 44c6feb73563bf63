import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { busMethods, unaryMethodsOf } from './services.ts';

it('has every method that a slice declares, each under its own name', () => {
  const folder = new URL('..', import.meta.url);
  const declared = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => [
      ...readFileSync(new URL(name, folder), 'utf8').matchAll(/= (?:unary|stream)\('[\w-]+', '(\w+)'/gu),
    ])
    .map(([, method]) => method);
  expect(new Set(busMethods.map(({ method }) => method))).toEqual(new Set(declared));
  expect(busMethods).toHaveLength(declared.length);
});

it('gives a service its own methods', () => {
  const methods = Object.values(unaryMethodsOf('registry-write'));
  expect(methods.length).toBeGreaterThan(15);
  expect(methods.every(({ kind, service }) => kind === 'unary' && service === 'registry-write')).toBe(true);
});
