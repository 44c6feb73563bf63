import { expect, it } from 'vitest';
import { holdsRegistryKey } from './registry-credentials.ts';

const key = `registry-agent-sk-${'A'.repeat(43)}`;

it.each([
  key,
  `Bearer ${key}`,
  `my key: ${key.toUpperCase()}`,
  `token=${key.replaceAll('-', '%2D')}`,
  `Basic ${Buffer.from(`agent:${key}`).toString('base64')}`,
  `basic  ${Buffer.from(key).toString('base64')}`,
  'registry-org-sk-',
  'registry-org-sandbox-sk-',
])('%s holds a key', (value) => expect(holdsRegistryKey(value)).toBe(true));

it.each(['', 'Bearer of-the-agent', 'registry-agent', 'Basic dXNlcjpwYXNz', 'Basic', '%zz'])('%j holds none', (value) =>
  expect(holdsRegistryKey(value)).toBe(false),
);
