import { expect, it } from 'vitest';
import { readAskedDomain } from './find-card.ts';

it.each([
  ['agents.example.com', 'agents.example.com', 'https://agents.example.com', null],
  [' Agents.Example.COM. ', 'agents.example.com', 'https://agents.example.com', null],
  ['agents.example.com:8443', 'agents.example.com', 'https://agents.example.com:8443', null],
  ['agents.example.com/a/b?c#d', 'agents.example.com', 'https://agents.example.com', null],
  ['https://agents.example.com/.well-known/agent.json', 'agents.example.com', 'https://agents.example.com', 'https'],
  ['HTTP://agents.example.com:8080/', 'agents.example.com', 'https://agents.example.com:8080', 'http'],
  ['http://agents.example.com:80', 'agents.example.com', 'https://agents.example.com', 'http'],
  ['bücher.example', 'xn--bcher-kva.example', 'https://xn--bcher-kva.example', null],
  ['127.0.0.1:4001', '127.0.0.1', 'https://127.0.0.1:4001', null],
  ['[2001:db8::1]:4001', '2001:db8::1', 'https://[2001:db8::1]:4001', null],
  ['localhost:4001', 'localhost', 'https://localhost:4001', null],
])('%s', (text, host, https, scheme) => {
  expect(readAskedDomain(text)).toEqual({ host, https, http: https.replace('https:', 'http:'), scheme });
});

it.each([
  '',
  ' ',
  'a b.example',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'file:/etc/passwd',
  'mailto:a@b.example',
  'ftp://agents.example.com',
  '//agents.example.com',
  'https:agents.example.com',
  'https:///agents.example.com',
  'user@agents.example.com',
  'https://user:pw@agents.example.com',
  'agents.example.com@evil.example',
  'agents.example.com\\@evil.example',
  'agents.example.com:99999',
  'agents.example.com:0',
  'agents.example.com:',
  'agents..example.com',
  '.example.com',
  '-a.example.com',
  'a'.repeat(64) + '.example.com',
  'agents.exa\u200bmple.com',
  'agents.example.com\u0000',
  'agents.example.com\n.evil.example',
  '[::1',
  '999.1.1.1',
])('%j is not a domain', (text) => {
  expect(() => readAskedDomain(text)).toThrow(expect.objectContaining({ code: 'invalid_domain' }));
});
