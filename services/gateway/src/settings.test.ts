import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readConfig } from '@agent-trust/service-kit';
import { authority } from '@agent-trust/test-kit/domain-world';
import { expect, it } from 'vitest';
import { settings } from './settings.ts';

const env = {
  NATS_URL: 'nats://127.0.0.1:4222',
  ADMIN_KEY: 'k'.repeat(16),
  ADMIN_TOKEN: 't'.repeat(16),
  REGISTRY_SECRET: 'r'.repeat(16),
  WEBHOOK_SECRET: 'w'.repeat(32),
};

it('the settings have defaults for everything but secrets and addresses', () => {
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
  ['TRACE_URL', 'https://jaeger.example/trace/'],
  ['TRACE_URL', 'https://jaeger.example/trace/{traceId}'],
  ['TRACE_URL', 'javascript:alert("{trace_id}")'],
  ['TRACE_URL', 'ftp://jaeger.example/{trace_id}'],
  ['TRACE_URL', 'https://{trace_id}.example/'],
  ['TRACE_URL', 'https://user:password@jaeger.example/{trace_id}'],
  ['TRACE_URL', `https://jaeger.example/{trace_id}${'x'.repeat(2_048)}`],
  ['CHAIN_EXPLORER_URL', 'https://scan.example/tx/{transaction}'],
  ['CHAIN_EXPLORER_URL', 'base=https://scan.example/tx/'],
  ['CHAIN_EXPLORER_URL', 'base=https://scan.example/{address}/{transaction}'],
  ['CHAIN_EXPLORER_URL', 'base=javascript:{transaction}'],
  ['CHAIN_EXPLORER_URL', 'base=https://scan.example/tx/{transaction},'],
  ['CHAIN_EXPLORER_URL', '=https://scan.example/tx/{transaction}'],
  ['DOMAIN_PROOF_DNS', 'ns.example'],
  ['DOMAIN_PROOF_DNS', '127.0.0.1:66000'],
  ['DOMAIN_PROOF_CA_FILE', '/no/such/file'],
  ['DOMAIN_PROOF_PORT', '0'],
  ['OPERATOR_OIDC_ISSUER', 'http://login.example'],
  ['OPERATOR_OIDC_ISSUER', 'http://localhost.example@127.0.0.1'],
  ['OPERATOR_OIDC_ISSUER', 'https://login.example?tenant=1'],
  ['OPERATOR_OIDC_ROLES', 'owners'],
  ['OPERATOR_OIDC_ROLES', 'owners=root'],
  ['OPERATOR_OIDC_ROLES', 'owners=admin,owners=viewer'],
  ['OPERATOR_OIDC_ROLES', '=admin'],
  ['OPERATOR_OIDC_CA_FILE', '/no/such/file'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '1'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '10.0.0.0/8/8'],
  ['OUTBOUND_ALLOW', '1.2.3.4/99'],
  ['CLAIM_DELIVERY', 'mail'],
  ['SMTP_URL', 'mail.example.org'],
  ['SMTP_FROM', 'nobody'],
  ['BASE_URL', 'ftp://x'],
  ['ALLOWED_HOSTS', 'https://registry.example'],
  ['MCP_ALLOWED_HOSTS', 'https://registry.example'],
  ['MCP_ALLOWED_HOSTS', 'registry.example/mcp'],
  ['MCP_ALLOWED_HOSTS', 'a,,b'],
  ['MCP_ALLOWED_HOSTS', '*'],
  ['MCP_ALLOWED_ORIGINS', 'app.example'],
  ['MCP_ALLOWED_ORIGINS', 'https://app.example/'],
  ['MCP_ALLOWED_ORIGINS', 'https://app.example:443'],
  ['MCP_ALLOWED_ORIGINS', '*'],
  ['MCP_ALLOWED_ORIGINS', 'null'],
  ['CORS_ALLOWED_ORIGINS', 'app.example'],
  ['CORS_ALLOWED_ORIGINS', 'https://app.example/'],
  ['CORS_ALLOWED_ORIGINS', 'https://app.example,'],
  ['CORS_ALLOWED_ORIGINS', 'https://*.example'],
  ['CORS_ALLOWED_ORIGINS', '*'],
  ['CORS_ALLOWED_ORIGINS', 'null'],
])('refuses %s=%s', (name, value) => {
  expect(() => readConfig(settings, { ...env, [name]: value })).toThrow(name);
});

it.each([['10.0.0.1'], ['10.0.0.0/8, ::1/128']])('accepts TRUST_PROXY=%s', (value) => {
  expect(readConfig(settings, { ...env, TRUST_PROXY: value }).TRUST_PROXY).toEqual(value.split(', '));
});

it('the settings with CLAIM_DELIVERY=smtp require a mail server and a sender, and errors repeat neither', () => {
  const mail = { SMTP_URL: 'smtp://user:pass-word@mail.example.org', SMTP_FROM: 'Registry <a@b.example>' };
  expect(readConfig(settings, { ...env, ...mail, CLAIM_DELIVERY: 'smtp' })).toMatchObject({
    CLAIM_DELIVERY: 'smtp',
    SMTP_URL: { host: 'mail.example.org', login: { user: 'user', password: 'pass-word' } },
    SMTP_FROM: { name: 'Registry', address: 'a@b.example' },
  });
  for (const name of ['SMTP_URL', 'SMTP_FROM'] as const) {
    expect(() => readConfig(settings, { ...env, ...mail, CLAIM_DELIVERY: 'smtp', [name]: '' })).toThrow(
      `${name} is not set; CLAIM_DELIVERY=smtp cannot do without it`,
    );
  }
  expect(readConfig(settings, env)).toMatchObject({ CLAIM_DELIVERY: 'inline' });
  expect(() => readConfig(settings, { ...env, SMTP_URL: 'ftp://user:pass-word@h' })).not.toThrow('pass-word');
});

it('a production system starts with claim links for anybody only if it is told so', () => {
  const production = { ...env, NODE_ENV: 'production' };
  expect(() => readConfig(settings, production)).toThrow(/CLAIM_DELIVERY is inline.*ALLOW_INLINE_CLAIMS=true/u);
  expect(readConfig(settings, { ...production, ALLOW_INLINE_CLAIMS: 'true' }).CLAIM_DELIVERY).toBe('inline');
  expect(readConfig(settings, { ...production, CLAIM_DELIVERY: 'inline-unowned' }).CLAIM_DELIVERY).toBe(
    'inline-unowned',
  );
  expect(readConfig(settings, { ...env, NODE_ENV: 'development' }).CLAIM_DELIVERY).toBe('inline');
});

// An issuer without an audience would take tokens that were made for others.
it('an issuer of tokens of operators comes with its audience and its roles', () => {
  const oidc = {
    OPERATOR_OIDC_ISSUER: 'https://login.example/realms/a',
    OPERATOR_OIDC_AUDIENCE: 'agent-trust',
    OPERATOR_OIDC_ROLES: 'cn=owners=admin, on call=operator',
  };
  expect(readConfig(settings, { ...env, ...oidc })).toMatchObject({
    OPERATOR_OIDC_ISSUER: 'https://login.example/realms/a',
    OPERATOR_OIDC_ROLES: new Map([
      ['cn=owners', 'admin'],
      ['on call', 'operator'],
    ]),
    OPERATOR_OIDC_ROLE_CLAIM: 'roles',
    OPERATOR_OIDC_NAME_CLAIM: 'sub',
  });
  for (const name of Object.keys(oidc)) {
    expect(() => readConfig(settings, { ...env, ...oidc, [name]: '' })).toThrow(`${name} is not set`);
  }
  expect(readConfig(settings, env).OPERATOR_OIDC_ISSUER).toBeUndefined();
});

// Whoever answers there can prove any domain.
it('a production system rests proofs of domains on the public internet, unless it is told otherwise', () => {
  const production = { ...env, NODE_ENV: 'production', CLAIM_DELIVERY: 'inline-unowned' };
  const folder = mkdtempSync(join(tmpdir(), 'settings-'));
  const caFile = join(folder, 'authority.pem');
  writeFileSync(caFile, authority);
  const own = { DOMAIN_PROOF_DNS: '10.0.0.1:53,[::1]:5353', DOMAIN_PROOF_CA_FILE: caFile, DOMAIN_PROOF_PORT: '8443' };
  expect(readConfig(settings, { ...env, ...own })).toMatchObject({
    DOMAIN_PROOF_DNS: ['10.0.0.1:53', '[::1]:5353'],
    DOMAIN_PROOF_CA_FILE: authority,
    DOMAIN_PROOF_PORT: 8443,
  });
  expect(readConfig(settings, production)).toMatchObject({ DOMAIN_PROOF_DNS: [], DOMAIN_PROOF_PORT: 443 });
  for (const [name, value] of Object.entries(own)) {
    const unusual = { ...production, [name]: value };
    expect(() => readConfig(settings, unusual)).toThrow(`${name} is set`);
    expect(() => readConfig(settings, { ...unusual, ALLOW_PRIVATE_DOMAIN_PROOFS: 'true' })).not.toThrow();
  }
  rmSync(folder, { recursive: true });
});

it('an error names the position of the faulty origin and the rule, not the origin', () => {
  expect(() => readConfig(settings, { ...env, CORS_ALLOWED_ORIGINS: 'http://b.test,http://u:pw@a.test' })).toThrow(
    /CORS_ALLOWED_ORIGINS must be .*no slash at the end.*; item 2 is not$/,
  );
});

it('the settings accept allowed origins of pages, none by default', () => {
  const given = { CORS_ALLOWED_ORIGINS: 'https://a.example, http://b.example:81' };
  expect(readConfig(settings, { ...env, ...given })).toMatchObject({
    CORS_ALLOWED_ORIGINS: ['https://a.example', 'http://b.example:81'],
  });
  for (const none of [env, { ...env, CORS_ALLOWED_ORIGINS: '' }])
    expect(readConfig(settings, none)).toMatchObject({ CORS_ALLOWED_ORIGINS: [] });
});

it('the settings accept names and origins for the MCP server', () => {
  const given = {
    MCP_ALLOWED_HOSTS: 'Gateway, inside.example:81,[fd00::1]',
    MCP_ALLOWED_ORIGINS: 'https://a.example, http://b.example:81',
  };
  expect(readConfig(settings, { ...env, ...given })).toMatchObject({
    MCP_ALLOWED_HOSTS: ['gateway', 'inside.example:81', '[fd00::1]'],
    MCP_ALLOWED_ORIGINS: ['https://a.example', 'http://b.example:81'],
  });
});

it('the settings accept where the console links to, nowhere by default', () => {
  const given = {
    TRACE_URL: 'http://127.0.0.1:16686/trace/{trace_id}',
    CHAIN_EXPLORER_URL:
      'base=https://scan.example/tx/{transaction}, base=https://scan.example/address/{address}#tokens',
  };
  expect(readConfig(settings, { ...env, ...given })).toMatchObject({
    TRACE_URL: given.TRACE_URL,
    CHAIN_EXPLORER_URL: [
      { network: 'base', transaction: 'https://scan.example/tx/{transaction}' },
      { network: 'base', address: 'https://scan.example/address/{address}#tokens' },
    ],
  });
  const none = readConfig(settings, env);
  expect([none.TRACE_URL, none.CHAIN_EXPLORER_URL]).toEqual([undefined, []]);
});
