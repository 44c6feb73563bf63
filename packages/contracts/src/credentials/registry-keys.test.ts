/** Bug: a key leaves the registry in a notation that one of the searches for keys does not recognise. */
import { expect, it } from 'vitest';
import { holdsRegistryKey } from './registry-keys.ts';

const key = `registry-agent-sk-${'A'.repeat(43)}`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const basic = `Basic ${base64(`agent:${key}`)}`;

it.each([
  key,
  `Bearer ${key}`,
  `my key: ${key.toUpperCase()}`,
  `token=${key.replaceAll('-', '%2D')}`,
  `%zz token=${key.replaceAll('-', '%2d')}`,
  `token=${key.replaceAll('-', '%252D')}`,
  basic,
  `basic  ${base64(key)}`,
  `Bearer ${base64(key)}`,
  encodeURIComponent(basic),
  base64(key.replaceAll('-', '%2D')),
  Buffer.from(`?>${key}`).toString('base64url'),
  `/path/${Buffer.from(`???>>>${key}`).toString('base64url')}/x`,
  base64(JSON.stringify({ x402Version: 1, payload: { note: key } })),
  base64(JSON.stringify({ header: basic })),
  'registry-org-sk-',
  'registry-org-sandbox-sk-',
  `Basic ${base64(`ops:registry-operator-sk-${'A'.repeat(43)}`)}`,
])('%s holds a key', (text) => expect(holdsRegistryKey(text)).toBe(true));

it.each([
  '',
  'Bearer of-the-agent',
  'registry-agent',
  'Basic dXNlcjpwYXNz',
  `Basic ${base64('registry:agent-sk and more')}`,
  'Basic',
  '%zz',
  base64(JSON.stringify({ x402Version: 1, payload: { signature: `0x${'ab'.repeat(65)}` } })),
])('%j holds none', (text) => expect(holdsRegistryKey(text)).toBe(false));
