import { limits, type OperatorKeyCreated, type OperatorKeyRevoked } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { type CreateOperatorKey, operatorKeysDecider } from './operator-keys.ts';
import { givenFor, someHash } from './testing/index.ts';

const given = givenFor(operatorKeysDecider);
const now = '2026-01-01T00:00:00.000Z';
const daysLater = (days: number, ms = 0): string => new Date(Date.parse(now) + days * 86_400_000 + ms).toISOString();

const creation = (operatorKeyId: string, name: string, more: Partial<CreateOperatorKey> = {}): CreateOperatorKey => ({
  type: 'CreateOperatorKey',
  operatorKeyId,
  name,
  role: 'operator',
  keyHash: someHash(1),
  expiresAt: daysLater(30),
  now,
  ...more,
});
const created = (operatorKeyId: string, name: string, expiresAt = daysLater(30)): OperatorKeyCreated => ({
  type: 'OperatorKeyCreated',
  data: { operatorKeyId, name, role: 'operator', keyHash: someHash(1), createdAt: now, expiresAt },
});
const revoke = (key: string, reason = 'leaked') => ({ type: 'RevokeOperatorKey', key, reason, now }) as const;
const revoked = (operatorKeyId: string, name: string, reason = 'leaked'): OperatorKeyRevoked => ({
  type: 'OperatorKeyRevoked',
  data: { operatorKeyId, name, reason, revokedAt: now },
});

describe("an operator's key", () => {
  it('has a name that no other key has while it works', () => {
    given([])
      .when(creation('k1', 'bot'))
      .then([created('k1', 'bot')]);
    given([created('k1', 'bot')])
      .when(creation('k2', 'bot'))
      .thenRefused('operator_key_name_taken');
    given([created('k1', 'bot'), revoked('k1', 'bot')])
      .when(creation('k2', 'bot'))
      .then([created('k2', 'bot')]);
    given([created('k1', 'bot', now)])
      .when(creation('k2', 'bot'))
      .then([created('k2', 'bot')]);
  });

  it('always expires: by default, when asked, and never later than the longest lifetime', () => {
    given([])
      .when(creation('k', 'bot', { expiresAt: null }))
      .then([created('k', 'bot', daysLater(limits.operatorKeyDaysDefault))]);
    const longest = daysLater(limits.operatorKeyDaysMax);
    given([])
      .when(creation('k', 'bot', { expiresAt: longest }))
      .then([created('k', 'bot', longest)]);
    for (const expiresAt of [daysLater(limits.operatorKeyDaysMax, 1), now, daysLater(-1)]) {
      const refusal = given([])
        .when(creation('k', 'bot', { expiresAt }))
        .thenRefused('validation_failed');
      expect(refusal.items?.[0]?.loc).toEqual(['body', 'expires_at']);
      // What is wrong with the request comes before what stands against it.
      given([created('other', 'bot')])
        .when(creation('k', 'bot', { expiresAt }))
        .thenRefused('validation_failed');
    }
  });

  it('is one of a limited number of those that work', () => {
    const many = Array.from({ length: limits.operatorKeysMax }, (_, at) => created(`k${at}`, `bot-${at}`));
    given(many).when(creation('one-more', 'bot')).thenRefused('operator_key_limit_reached');
    given([...many, revoked('k0', 'bot-0')])
      .when(creation('one-more', 'bot'))
      .then([created('one-more', 'bot')]);
  });

  it('is for one of a limited number of browsers of its operator, whoever of them asked', () => {
    const names = Array.from({ length: limits.browserKeysMax }, (_, at) => `alice.console-${at}`);
    const many = names.map((name, at) => created(`k${at}`, name));
    given(many).when(creation('more', 'alice.console-x')).thenRefused('operator_key_limit_reached');
    given(many).when(creation('more', 'alice.console-0.console-x')).thenRefused('operator_key_limit_reached');
    given(many)
      .when(creation('more', 'bob.console-x'))
      .then([created('more', 'bob.console-x')]);
    given([...many, revoked('k0', 'alice.console-0')])
      .when(creation('more', 'alice.console-x'))
      .then([created('more', 'alice.console-x')]);
  });

  it('is revoked once, by its id or its name', () => {
    for (const key of ['k1', 'bot']) {
      given([created('k1', 'bot')])
        .when(revoke(key))
        .then([revoked('k1', 'bot')]);
      given([created('k1', 'bot'), revoked('k1', 'bot')])
        .when(revoke(key, 'again'))
        .thenNothing();
    }
    given([created('k1', 'bot')])
      .when(revoke('other'))
      .thenRefused('operator_key_not_found');
  });

  it('by its name is the one that is not revoked', () => {
    given([created('k1', 'bot'), revoked('k1', 'bot'), created('k2', 'bot')])
      .when(revoke('bot'))
      .then([revoked('k2', 'bot')]);
  });
});
