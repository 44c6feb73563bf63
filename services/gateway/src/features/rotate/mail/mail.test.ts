import { describe, expect, it } from 'vitest';
import { claimMail, shownAgentId } from './mailer.ts';
import { parseMailbox, parseSmtpUrl } from './smtp-server.ts';

describe('SMTP_URL', () => {
  const login = { user: 'us@er', password: 'p:w/d' };
  it.each([
    ['smtp://mail.example.org', { host: 'mail.example.org', port: 587, tls: 'required', login: null }],
    ['smtps://mail.example.org', { host: 'mail.example.org', port: 465, tls: 'from_start', login: null }],
    ['smtps://mail.example.org?tls=true', { host: 'mail.example.org', port: 465, tls: 'from_start', login: null }],
    [
      'smtp://us%40er:p%3Aw%2Fd@mail.example.org:2525/',
      { host: 'mail.example.org', port: 2525, tls: 'required', login },
    ],
    ['smtp://relay:25?tls=false', { host: 'relay', port: 25, tls: 'off', login: null }],
    ['smtp://127.0.0.1:25', { host: '127.0.0.1', port: 25, tls: 'off', login: null }],
    ['smtp://[::1]', { host: '::1', port: 587, tls: 'off', login: null }],
    ['smtp://localhost?tls=true', { host: 'localhost', port: 587, tls: 'required', login: null }],
    ['smtp://localhost.example.org', { host: 'localhost.example.org', port: 587, tls: 'required', login: null }],
  ] as const)('%s', (url, server) => expect(parseSmtpUrl(url)).toEqual(server));

  it.each([
    'mail.example.org',
    'http://mail.example.org',
    'smtp://',
    'smtp:mail.example.org',
    'smtp://host:0',
    'smtp://host:65536',
    'smtp://host/path',
    'smtp://host#x',
    'smtp://host?tls=maybe',
    'smtp://host?tls=true&tls=false',
    'smtp://host?rejectUnauthorized=false',
    'smtps://host?tls=false',
    'smtp://user@host',
    'smtp://:password@host',
    'smtp://us%er:p%w@host',
    'smtp://ho st',
  ])('refuses %s', (url) => expect(parseSmtpUrl(url)).toBeUndefined());
});

describe('SMTP_FROM', () => {
  it.each([
    ['a@b.example', { name: '', address: 'a@b.example' }],
    ['<a@b.example>', { name: '', address: 'a@b.example' }],
    ['The Registry, Inc. <a@b.example>', { name: 'The Registry, Inc.', address: 'a@b.example' }],
  ] as const)('%s', (text, mailbox) => expect(parseMailbox(text)).toEqual(mailbox));

  it.each([
    '',
    'nobody',
    'a@b',
    'a@b.example, c@d.example',
    'x <a@b.example> y',
    'x <a@b.example',
    'a\nb <a@b.example>',
  ])('refuses %j', (text) => expect(parseMailbox(text)).toBeUndefined());
});

describe('the mail with a claim link', () => {
  const mail = claimMail({
    to: 'owner@agent.example',
    agentId: 'quotes',
    claimLink: 'https://registry.example/rotate?token=abc.def',
    baseUrl: 'https://registry.example',
    askedFrom: '203.0.113.7',
    expiresAt: '2026-01-01T00:30:00.000Z',
  });

  it('names the agent and the requester, has the link on a separate line, and explains its expiry and use', () => {
    const lines = mail.text.split('\n').map((line) => line.trim());
    expect(lines).toContain('quotes');
    expect(lines).toContain('https://registry.example/rotate?token=abc.def');
    for (const words of [
      '203.0.113.7',
      'It works once, until 2026-01-01T00:30:00.000Z.',
      'If it was not you who asked',
    ])
      expect(mail.text).toContain(words);
    expect(mail.to).toBe('owner@agent.example');
  });

  it.each([
    ['acme-quote.bot_1~', 'acme-quote.bot_1~'],
    ['агент-7', 'агент-7'],
    ['a b', 'a%20b'],
    ['https://evil.example/?x=(1)', 'https%3A%2F%2Fevil.example%2F%3Fx%3D%281%29'],
    ['you@evil.example', 'you%40evil.example'],
    ['\u202Egnihsihp', '%E2%80%AEgnihsihp'],
    ['a\u2028b', 'a%E2%80%A8b'],
    ['🤖', '%F0%9F%A4%96'],
  ])('shows the agent_id %j as %s: it cannot pass for the registry’s text, link or address', (agentId, shown) =>
    expect(shownAgentId(agentId)).toBe(shown),
  );
});
