/** Bug: a key that is shown once, and overwritten by another organisation's or sent to another registry. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { UsageError } from '../errors.ts';
import { checkCanSave, saveAgent, saveOrganisation } from './save.ts';
import { readSettings, type Settings } from './settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-save-'));
  return () => rmSync(folder, { recursive: true });
});
const configFile = (): string => join(folder, 'config.json');
const settings = (url = 'https://registry.example', profile = 'default'): Settings =>
  readSettings({ url, profile }, { env: { AGENT_TRUST_CONFIG: configFile() }, readStdin: async () => '' });
const profiles = (): Record<string, unknown> =>
  (JSON.parse(readFileSync(configFile(), 'utf8')) as { profiles: Record<string, unknown> }).profiles;

it('keeps the keys of one organisation in a profile', () => {
  saveOrganisation(settings(), 'Acme', { org_key: 'first', sandbox_key: 'sandbox' });
  saveOrganisation(settings(), 'Acme', { org_key: 'second' });
  expect(() => saveOrganisation(settings(), 'Beta', { org_key: 'third' })).toThrow(UsageError);
  saveOrganisation(settings(undefined, 'beta'), 'Beta', { org_key: 'third' });
  const url = 'https://registry.example';
  expect(profiles()).toEqual({
    default: { url, org_name: 'Acme', org_key: 'second', sandbox_key: 'sandbox' },
    beta: { url, org_name: 'Beta', org_key: 'third' },
  });
  expect(statSync(configFile()).mode & 0o777).toBe(0o600);
});

it('keeps the secrets of one registry, even if the profile is created between check and save', () => {
  const [one, other] = [settings('https://one.example'), settings('https://other.example')];
  checkCanSave(one);
  checkCanSave(other);
  saveAgent(one, 'buyer', { agent_key: 'of-one' });
  expect(() => saveAgent(other, 'buyer', { agent_key: 'of-other' })).toThrow(UsageError);
  expect(() => checkCanSave(other)).toThrow(UsageError);
  expect(profiles()).toEqual({
    default: { url: 'https://one.example', agent_id: 'buyer', agents: { buyer: { agent_key: 'of-one' } } },
  });
});
