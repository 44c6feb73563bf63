import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { busMethods, unaryMethodsOf } from './services.ts';

it('every method that a slice declares is a method of a service, under its own name', () => {
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

it('every service has its own methods', () => {
  const methods = Object.values(unaryMethodsOf('registry-write'));
  expect(methods.length).toBeGreaterThan(15);
  expect(methods.every(({ kind, service }) => kind === 'unary' && service === 'registry-write')).toBe(true);
});
