/** Bug: a secret that an installation has is in no row of the page that says how it is replaced. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** The names in the first column; `…` stands for any part of a name. */
const named = readFileSync(join(root, 'docs/secrets.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z_…]+)`/gu)].map(([, name = '']) => name));
const isNamed = (name: string): boolean =>
  named.some((pattern) => new RegExp(`^${pattern.replace('…', '[A-Z_]+')}$`, 'u').test(name));

it('has each secret that compose is given', () => {
  const env = execFileSync(process.execPath, [join(root, 'infra/docker/make-env.mjs')], { encoding: 'utf8' });
  // Secrets are random, other settings have fixed values or none.
  const secrets = [...env.matchAll(/^([A-Z_]+)=(?:pw)?[\w-]{43}$/gmu)].map(([, name = '']) => name);
  expect(secrets.length).toBeGreaterThan(20);
  expect(secrets.filter((name) => !isNamed(name))).toEqual([]);
});

it('has no other name for one', () => {
  expect(isNamed('NATS_GATEWAY_PASSWORD')).toBe(true);
  expect(isNamed('GATEWAY_PASSWORD')).toBe(false);
});
