/** Bug: a credential that is sent unintentionally: to another registry, for another agent, or together with one whose meaning it changes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { CredentialError, UsageError } from '../errors.ts';
import { chooseCredentials } from './choose-credentials.ts';
import type { GlobalOptions } from '../program/global-options.ts';
import { readSettings, type Settings } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'cli-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));
const configFile = join(folder, 'config.json');
const profile = {
  url: 'https://registry.example',
  org_key: 'org',
  sandbox_key: 'sandbox',
  agent_id: 'buyer',
  agents: { buyer: { agent_key: 'buyer-key' }, robot: { key_file: '/robot.pem' } },
};
writeFileSync(configFile, JSON.stringify({ profiles: { default: profile } }), { mode: 0o600 });
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const settings = (global: GlobalOptions = {}, env: Record<string, string> = {}): Settings =>
  readSettings(global, { env: { AGENT_TRUST_CONFIG: configFile, ...env }, readStdin: async () => 'from-stdin\n' });

it('takes the first available one, and several only on request', async () => {
  expect(await chooseCredentials(settings(), undefined, ['agent', 'org'])).toEqual({ agentKey: 'buyer-key' });
  expect(await chooseCredentials(settings(), undefined, ['signature', 'org'])).toEqual({ orgKey: 'org' });
  expect(await chooseCredentials(settings(), 'agent,org', ['none'])).toEqual({ agentKey: 'buyer-key', orgKey: 'org' });
  expect(await chooseCredentials(settings(), 'none', ['agent'])).toEqual({});
  expect(await chooseCredentials(settings(), undefined, ['sandbox'])).toEqual({ orgKey: 'sandbox' });
});

it('uses a key for its own agent alone', async () => {
  expect(await chooseCredentials(settings(), undefined, ['agent', 'org'], 'other')).toEqual({ orgKey: 'org' });
  expect(await chooseCredentials(settings(), undefined, ['agent', 'signature'], 'robot')).toEqual({
    signer: { agentId: 'robot', keyFile: '/robot.pem' },
  });
  const env = { AGENT_TRUST_AGENT_KEY: 'from-env', AGENT_TRUST_AGENT_ID: 'other' };
  expect(await chooseCredentials(settings({}, env), undefined, ['agent'])).toEqual({ agentKey: 'from-env' });
  expect(await chooseCredentials(settings({}, env), undefined, ['agent'], 'buyer')).toEqual({ agentKey: 'buyer-key' });
  // A file on the command line is for the agent of the command.
  expect(await chooseCredentials(settings({ keyFile: '/k.pem' }), undefined, ['signature'], 'robot')).toEqual({
    signer: { agentId: 'robot', keyFile: '/k.pem' },
  });
});

it('prefers a file on the command line to saved credentials', async () => {
  const order = ['agent', 'signature', 'org'] as const;
  expect(await chooseCredentials(settings({ keyFile: '/k.pem' }), undefined, order)).toEqual({
    signer: { agentId: 'buyer', keyFile: '/k.pem' },
  });
  expect(await chooseCredentials(settings({ orgKeyFile: file('own', 'mine') }), undefined, order)).toEqual({
    orgKey: 'mine',
  });
  // Credentials of the environment hold for every command, in the usual order.
  const env = { AGENT_TRUST_KEY_FILE: '/k.pem' };
  expect(await chooseCredentials(settings({}, env), undefined, order)).toEqual({ agentKey: 'buyer-key' });
});

it('never sends credentials saved for one registry to another', async () => {
  const elsewhere = settings({ url: 'https://other.example' });
  expect(elsewhere.agentId).toBeUndefined();
  for (const kind of ['agent', 'signature', 'org', 'sandbox', 'admin'] as const)
    await expect(chooseCredentials(elsewhere, undefined, [kind])).rejects.toThrow(CredentialError);
  expect(await chooseCredentials(settings({ url: 'https://registry.example/' }), undefined, ['org'])).toEqual({
    orgKey: 'org',
  });
});

it('reads secrets from files, alone or by their name, and from standard input', async () => {
  const named = file('secrets.json', '{"ADMIN_KEY":"a","ADMIN_TOKEN":"t"}');
  expect(await settings({ adminKeyFile: named }).secrets.adminKey()).toBe('a');
  expect(await chooseCredentials(settings({ adminTokenFile: named }), undefined, ['admin'])).toEqual({
    adminToken: 't',
  });
  expect(await settings({ agentKeyFile: '-' }).secrets.agentKey('buyer')).toBe('from-stdin');
  expect(await settings({ orgKeyFile: file('key', 'plain\n') }).secrets.orgKey()).toBe('plain');
  for (const bad of [named, file('empty', '\n'), join(folder, 'absent'), file('bad.json', '{')])
    await expect(settings({ orgKeyFile: bad }).secrets.orgKey()).rejects.toThrow(UsageError);
});

it('refuses invalid addresses and kinds', async () => {
  for (const url of ['registry.example', 'ftp://x', 'http://user:pw@x', ''])
    expect(() => settings({ url })).toThrow(UsageError);
  for (const auth of ['magic', 'none,org', 'org,sandbox', ''])
    await expect(chooseCredentials(settings(), auth, ['none'])).rejects.toThrow(UsageError);
  for (const timeout of ['0', '-1', 'x', '3601']) expect(() => settings({ timeout })).toThrow(UsageError);
});
