import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  isSigned,
  mintSecretSalt,
  signMessage,
  webhookSecretOf,
  webhookSecretsFrom,
  webhookSecretsOf,
} from './index.ts';

const registrySecret = 'what all secrets of webhooks come from';
const secret = webhookSecretOf(registrySecret, 'hook-1', mintSecretSalt());
const message = { id: 'msg_1', sentAt: new Date(), body: '{"type":"trust_score.changed","text":"ünïcode ✓"}' };

describe('a signed message', () => {
  it('is accepted by the official library', () => {
    expect(new Webhook(secret).verify(message.body, signMessage(message, secret))).toEqual(JSON.parse(message.body));
  });

  it('is signed as by the official library', () => {
    expect(signMessage(message, secret)['webhook-signature']).toBe(
      new Webhook(secret).sign(message.id, message.sentAt, message.body),
    );
  });

  it.each([
    ['another body', secret, { ...message, body: `${message.body} ` }, {}],
    ['another id', secret, message, { 'webhook-id': 'msg_2' }],
    ['another secret', webhookSecretOf(registrySecret, 'hook-1', mintSecretSalt()), message, {}],
    ['an old timestamp', secret, message, signMessage({ ...message, sentAt: new Date(0) }, secret)],
  ])('is refused with %s', (_what, verifierSecret, { body }, changed) => {
    const headers = { ...signMessage(message, secret), ...changed };
    expect(() => new Webhook(verifierSecret).verify(body, headers)).toThrow(WebhookVerificationError);
  });
});

describe('a message while WEBHOOK_SECRET is replaced', () => {
  const salt = mintSecretSalt();
  const [fresh, old] = ['the value that comes after it', registrySecret].map((value) =>
    webhookSecretOf(value, 'hook-1', salt),
  ) as [string, string];
  const [present, ...previous] = webhookSecretsOf(
    webhookSecretsFrom('the value that comes after it', registrySecret),
    'hook-1',
    salt,
  );
  it('is accepted by the official library with the new secret, and with the former one', () => {
    const headers = signMessage(message, present, ...previous);
    for (const secret of [fresh, old])
      expect(new Webhook(secret).verify(message.body, headers)).toEqual(JSON.parse(message.body));
    const third = webhookSecretOf('a third value, of nobody', 'hook-1', salt);
    expect(() => new Webhook(third).verify(message.body, headers)).toThrow(WebhookVerificationError);
  });

  it('is refused with the former secret once that has ended', () => {
    const headers = signMessage(message, ...webhookSecretsFrom(present, undefined));
    expect(headers['webhook-signature']).toMatch(/^v1,\S+$/u);
    expect(() => new Webhook(old).verify(message.body, headers)).toThrow(WebhookVerificationError);
  });
});

it('a signature is recognised, and none of another body, secret, time or form', () => {
  const { body } = message;
  const headers = signMessage(message, secret);
  expect(isSigned({ headers, body }, secret)).toBe(true);
  expect(isSigned({ headers, body: `${body} ` }, secret)).toBe(false);
  expect(isSigned({ headers, body }, webhookSecretOf(registrySecret, 'hook-2', mintSecretSalt()))).toBe(false);
  for (const changed of [
    { 'webhook-timestamp': '1' },
    { 'webhook-timestamp': 'x' },
    { 'webhook-signature': 'v1,' },
    { 'webhook-id': 'm' },
  ])
    expect(isSigned({ headers: { ...headers, ...changed }, body }, secret)).toBe(false);
  const twice = signMessage(message, webhookSecretOf('another', 'hook-1', mintSecretSalt()), secret);
  expect(isSigned({ headers: twice, body }, secret)).toBe(true);
  expect(isSigned({ headers: {}, body }, secret)).toBe(false);
});

describe('the secret of a webhook', () => {
  it('is always derived to the same value, and differs by webhook, salt and registry', () => {
    const salt = mintSecretSalt();
    const of = (...args: Parameters<typeof webhookSecretOf>): string => webhookSecretOf(...args);
    expect(of(registrySecret, 'hook-1', salt)).toBe(of(registrySecret, 'hook-1', salt));
    expect(of(registrySecret, 'hook-1', salt)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/u);
    const others = [
      of(registrySecret, 'hook-1', salt),
      of(registrySecret, 'hook-2', salt),
      of(registrySecret, 'hook-1', mintSecretSalt()),
      of('another secret of the registry', 'hook-1', salt),
    ];
    expect(new Set(others).size).toBe(others.length);
  });
});
