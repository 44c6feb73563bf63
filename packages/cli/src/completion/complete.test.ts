/** Bug: suggestions that the program would not accept, or that a shell would interpret. */
import { expect, it } from 'vitest';
import { complete } from './complete.ts';

const saved = { agents: ['acme-buyer', 'acme seller', '$(reboot)', '-rf', 'a`b'], profiles: ['default', 'test'] };
const offered = async (...words: string[]): Promise<string[]> => (await complete(words, saved)).words;

it('offers what may follow', async () => {
  expect(await offered('re')).toEqual(['registry', 'record', 'record-history', 'review', 'register', 'retire']);
  expect(await offered('org', 'sandbox-key', '')).toEqual(['issue', 'revoke']);
  expect(await offered('--url', 'http://x', 'org', 'who')).toEqual(['whoami']);
  expect(await offered('register', 'x', '--message-protocol', '')).toEqual(['a2a', 'mcp', 'raw']);
  expect(await offered('register', 'x', '--message-protocol=m')).toEqual(['--message-protocol=mcp']);
  expect(await offered('call', 'x', '--profile', 't')).toEqual(['test']);
  expect(await offered('call', '--', '--js')).toEqual([]);
  expect(await offered('match', '-c', 'x', '--lim')).toEqual(['--limit']);
});

it('offers saved ids only if they are a word in every shell', async () => {
  for (const words of [
    ['verify', ''],
    ['verify', 'x', 'y', ''],
    ['show', ''],
  ])
    expect(await offered(...words)).toEqual(['acme-buyer']);
});

it('offers files for file arguments, and nothing if it knows nothing', async () => {
  expect(await complete(['rotate', 'x', '--key-file', ''], saved)).toEqual({ words: [], files: true });
  expect(await complete(['keygen', 'k'], saved)).toEqual({ words: [], files: true });
  for (const words of [
    ['nonsense', ''],
    ['org', 'nonsense', ''],
    ['match', '--limit', ''],
    ['show', 'x', ''],
  ])
    expect(await complete(words, saved)).toEqual({ words: [], files: false });
});
