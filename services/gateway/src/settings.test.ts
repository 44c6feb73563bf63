import { ConfigError, readConfig } from '@agent-trust/service-kit';
import { expect, it } from 'vitest';
import { settings } from './settings.ts';

const env = {
  NATS_URL: 'nats://127.0.0.1:4222',
  ADMIN_KEY: 'k'.repeat(16),
  ADMIN_TOKEN: 't'.repeat(16),
  REGISTRY_SECRET: 'r'.repeat(16),
};

it('has defaults for everything but secrets and addresses', () => {
  expect(readConfig(settings, env)).toMatchObject({
    PORT: 8080,
    HOST: '127.0.0.1',
    CALL_TIMEOUT_MS: 30_000,
    READ_MODEL_WAIT_MS: 5_000,
  });
  expect(() => readConfig(settings, { NATS_URL: env.NATS_URL })).toThrow(ConfigError);
});

it.each([
  ['ADMIN_TOKEN', 'short'],
  ['ADMIN_KEY', 'with spaces in the middle'],
  ['REGISTRY_SECRET', ''],
  ['REGISTRY_SECRET', 'short'],
  ['SIGNATURE_MAX_SKEW_SECONDS', '0'],
  ['SIGNATURE_MAX_SKEW_SECONDS', '901'],
  ['SIGNATURE_STRICT', 'maybe'],
  ['KEY_DIRECTORY_BASE', 'acme.test'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '1'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '10.0.0.0/8/8'],
  ['CLAIM_DELIVERY', 'smtp'],
  ['BASE_URL', 'ftp://x'],
])('refuses %s=%s', (name, value) => {
  expect(() => readConfig(settings, { ...env, [name]: value })).toThrow(name);
});

it.each([['10.0.0.1'], ['10.0.0.0/8, ::1/128']])('takes TRUST_PROXY=%s', (value) => {
  expect(readConfig(settings, { ...env, TRUST_PROXY: value }).TRUST_PROXY).toEqual(value.split(', '));
});
