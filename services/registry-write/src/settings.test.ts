import { ConfigError, readConfig } from '@agent-trust/service-kit';
import { describe, expect, it } from 'vitest';
import { registryWriteSettings } from './settings.ts';

const needed = {
  NATS_URL: 'nats://127.0.0.1:4222',
  EVENT_LOG_URL: 'postgres://127.0.0.1/agent_trust',
  PERSONAL_DATA_DATABASE_URL: 'postgres://127.0.0.1/agent_trust',
  PERSONAL_DATA_KEY: 'a secret of at least 32 characters',
};
const faultsOf = (env: Record<string, string>): string => {
  try {
    readConfig(registryWriteSettings, env);
    return 'none';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
};

describe('settings of registry-write', () => {
  it('give claim links half an hour by default', () => {
    expect(readConfig(registryWriteSettings, needed)).toMatchObject({ CLAIM_TOKEN_TTL_SECONDS: 1800 });
    expect(readConfig(registryWriteSettings, { ...needed, CLAIM_TOKEN_TTL_SECONDS: '0' })).toMatchObject({
      CLAIM_TOKEN_TTL_SECONDS: 0,
    });
  });

  it('begin a new registry with policy v2 by default', () => {
    expect(readConfig(registryWriteSettings, needed)).toMatchObject({ TRUST_POLICY_AT_FIRST_START: 'v2' });
    expect(readConfig(registryWriteSettings, { ...needed, TRUST_POLICY_AT_FIRST_START: 'v1' })).toMatchObject({
      TRUST_POLICY_AT_FIRST_START: 'v1',
    });
  });

  it('have no default for the keys of personal data', () => {
    for (const name of ['PERSONAL_DATA_DATABASE_URL', 'PERSONAL_DATA_KEY'])
      expect(faultsOf({ ...needed, [name]: '' })).toContain(name);
  });

  it.each([
    { CLAIM_TOKEN_TTL_SECONDS: '-1' },
    { CLAIM_TOKEN_TTL_SECONDS: '1.5' },
    { TRUST_POLICY_AT_FIRST_START: 'v3' },
    { EVENT_LOG_URL: 'mysql://h/db' },
    { PERSONAL_DATA_DATABASE_URL: 'esdb://h' },
    { PERSONAL_DATA_KEY: 'short' },
  ])('refuses %j', (wrong) => expect(faultsOf({ ...needed, ...wrong })).toContain(Object.keys(wrong)[0]));
});
